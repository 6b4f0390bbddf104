/** Which kubectl or helm the tests use. */
import { join } from 'node:path';
import { binFolder } from '../binaries/shelf.ts';
import { isExecutable, onPath } from '../executables.ts';
import { run } from '../process.ts';
import type { Program } from './programs.ts';

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
  const { variables = process.env, cached = join(binFolder, program.name) } = places;
  const named = variables[program.variable];
  const last = onPath(program.name, variables['PATH'] ?? '');
  const candidates = [
    ...(named ? [{ from: program.variable, path: named }] : []),
    { from: '.cache/bin', path: cached },
    ...(last === undefined ? [] : [{ from: 'PATH', path: last }]),
  ];
  const reasons: string[] = [];
  for (const { from, path } of candidates) {
    const judged = await judge(program, path);
    if (judged.version !== undefined) return { path, version: judged.version };
    reasons.push(`${from} (${path}): ${judged.reason}`);
  }
  return { path: undefined, reasons };
}

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
