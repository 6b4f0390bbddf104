/** Which kubectl or helm the tests use. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from '../process.ts';
import { root } from '../root.ts';
import type { Program } from './programs.ts';

/** Where `npm run tier` installs a program to. */
export const cachedProgram = ({ name }: Pick<Program, 'name'>): string => join(root, '.cache/bin', name);

export type FoundProgram =
  | { readonly path: string; readonly version: string }
  /** Why there is none: one line for each that was looked at. */
  | { readonly path: undefined; readonly reasons: readonly string[] };

export interface Places {
  /** Default: the environment of this process. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** Where it is installed. */
  readonly cached?: string;
}

/** The one that its variable names, else the one that was installed for the tests, else the PATH's. */
export async function findProgram(program: Program, places: Places = {}): Promise<FoundProgram> {
  const { variables = process.env, cached = cachedProgram(program) } = places;
  const named = variables[program.variable];
  const candidates = [
    ...(named ? [{ from: program.variable, path: named }] : []),
    { from: '.cache/bin', path: cached },
    ...onPath(program, variables['PATH'] ?? '').map((path) => ({ from: 'PATH', path })),
  ];
  const reasons: string[] = [];
  for (const { from, path } of candidates) {
    const judged = await judge(program, path);
    if (judged.version !== undefined) return { path, version: judged.version };
    reasons.push(`${from} (${path}): ${judged.reason}`);
  }
  return { path: undefined, reasons };
}

const onPath = ({ name }: Program, path: string): string[] =>
  path
    .split(delimiter)
    .map((folder) => join(folder, name))
    .filter(isExecutable)
    .slice(0, 1);

async function judge(
  { versionArgs, version: pattern, least }: Program,
  path: string,
): Promise<{ readonly version: string } | { readonly version?: undefined; readonly reason: string }> {
  if (!isExecutable(path)) return { reason: 'not there, or not executable' };
  const { code, output } = await run(path, versionArgs, { show: false });
  const [, version, major, minor] = pattern.exec(output) ?? [];
  if (code !== 0 || version === undefined) return { reason: `it does not tell its version (exit code ${code})` };
  const isNew = Number(major) > least.major || (Number(major) === least.major && Number(minor) >= least.minor);
  return isNew ? { version } : { reason: `${version} is older than v${least.major}.${least.minor}` };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
