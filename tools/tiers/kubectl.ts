/** Which kubectl the tests use. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from '../process.ts';
import { root } from '../root.ts';

/** What `npm run tier -- kubectl` installs, and where. */
export const cachedKubectl: string = join(root, '.cache/bin/kubectl');

/**
 * Older ones are not used: from 1.35 on `kubectl create` sends protobuf and has no way back to JSON, and a server that answers the older
 * ones only is not what anybody will meet.
 */
const leastMinor = 35;

export type FoundKubectl =
  | { readonly path: string; readonly version: string }
  /** Why there is none: one line for each that was looked at. */
  | { readonly path: undefined; readonly reasons: readonly string[] };

interface Candidate {
  readonly from: string;
  readonly path: string;
}

/** `KUBECTL`, else the one that was installed for the tests, else the PATH's. */
export async function findKubectl(
  variables: Readonly<Record<string, string | undefined>> = process.env,
  cached: string = cachedKubectl,
): Promise<FoundKubectl> {
  const reasons: string[] = [];
  for (const { from, path } of candidates(variables, cached)) {
    const judged = await judge(path);
    if (judged.version !== undefined) return { path, version: judged.version };
    reasons.push(`${from} (${path}): ${judged.reason}`);
  }
  return { path: undefined, reasons };
}

function candidates({ KUBECTL, PATH = '' }: Readonly<Record<string, string | undefined>>, cached: string): Candidate[] {
  const onPath = PATH.split(delimiter)
    .map((folder) => join(folder, 'kubectl'))
    .find(isExecutable);
  return [
    ...(KUBECTL ? [{ from: 'KUBECTL', path: KUBECTL }] : []),
    { from: '.cache/bin', path: cached },
    ...(onPath ? [{ from: 'PATH', path: onPath }] : []),
  ];
}

async function judge(
  path: string,
): Promise<{ readonly version: string } | { readonly version?: undefined; readonly reason: string }> {
  if (!isExecutable(path)) return { reason: 'not there, or not executable' };
  const { code, output } = await run(path, ['version', '--client', '--output=json'], { show: false });
  const [, version, major, minor] = /"gitVersion":\s*"(v(\d+)\.(\d+)\.[^"]*)"/.exec(output) ?? [];
  if (code !== 0 || version === undefined) return { reason: `it does not tell its version (exit code ${code})` };
  const isNew = Number(major) > 1 || (Number(major) === 1 && Number(minor) >= leastMinor);
  return isNew ? { version } : { reason: `${version} is older than v1.${leastMinor}` };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
