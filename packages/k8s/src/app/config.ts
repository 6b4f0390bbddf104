/** Configuration: flag, then environment variable, then file, then default, checked once against the app's schema. */
import { PlatformError } from '@lifeline/core';
import type { z } from 'zod';
import { type Setting, settingsOf } from './config-schema.ts';
import { isRecord, readFile, readFlags, readVariables, valueAt } from './config-sources.ts';
import type { App } from './define-app.ts';
import type { Files } from './env.ts';

/** The configuration cannot be used. Each problem names the setting, where its value came from, and the fix. */
export class ConfigError extends PlatformError<'config'> {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super('config', problems.join('; '));
    this.problems = problems;
  }
}

export interface ConfigInput {
  /** Arguments after the program's name. */
  readonly argv: readonly string[];
  /** Environment variables; those that start with `LIFELINE_` are read. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly files: Files;
  readonly signal: AbortSignal;
}

export type LoadedConfig<Config> =
  | { readonly ask: 'run'; readonly config: Config }
  /** `--help` or `--print-config`: print this and leave with 0. */
  | { readonly ask: 'print'; readonly text: string };

/** @throws ConfigError */
export async function loadConfig<Config>(app: App<Config>, input: ConfigInput): Promise<LoadedConfig<Config>> {
  const settings = settingsOf(app.config);
  const flags = readFlags(settings, input.argv);
  if (flags.help) return { ask: 'print', text: helpText(app, settings) };
  const problems = [...flags.problems];
  const file = flags.configFile ?? input.variables['LIFELINE_CONFIG'];
  const fromFile = file === undefined ? {} : await readFile(file, settings, { ...input, problems });
  const fromVariables = readVariables(settings, input.variables, problems);
  const tree: Record<string, unknown> = {};
  const origins = new Map<string, string>();
  for (const setting of settings) {
    const given = flags.values.get(setting.path) ?? fromVariables.get(setting.path) ?? valueAt(fromFile, setting, file);
    if (!given) continue;
    place(tree, setting.keys, given.value);
    origins.set(setting.path, given.from);
  }
  const parsed = app.config.safeParse(withGroups(tree, settings));
  if (!parsed.success) problems.push(...issuesOf(parsed.error, settings, origins));
  if (problems.length > 0 || !parsed.success) throw new ConfigError(problems);
  if (flags.printConfig) return { ask: 'print', text: masked(parsed.data, settings) };
  return { ask: 'run', config: parsed.data };
}

function place(tree: Record<string, unknown>, keys: readonly string[], value: unknown): void {
  let node = tree;
  for (const key of keys.slice(0, -1)) node = (node[key] ??= {}) as Record<string, unknown>;
  node[keys.at(-1) as string] = value;
}

/** Groups that nothing was given for are there all the same, so that the defaults of their leaves apply; not those that may be left out. */
function withGroups(tree: Record<string, unknown>, settings: readonly Setting[]): Record<string, unknown> {
  for (const { groups } of settings) {
    let node = tree;
    for (const key of groups) node = (node[key] ??= {}) as Record<string, unknown>;
  }
  return tree;
}

function issuesOf(error: z.ZodError, settings: readonly Setting[], origins: ReadonlyMap<string, string>): string[] {
  return error.issues.map((issue) => {
    const path = issue.path.join('.');
    const setting = settings.find((candidate) => path === candidate.path || path.startsWith(`${candidate.path}.`));
    if (!setting) return `${path || 'configuration'}: ${issue.message}`;
    const origin = origins.get(setting.path);
    const fix = `set ${setting.flag}, ${setting.variable} or ${setting.path} in the file`;
    return origin === undefined && setting.required
      ? `${path} is required: ${fix}`
      : `${path} (${origin ?? 'default'}): ${issue.message}; ${fix}`;
  });
}

function masked(config: unknown, settings: readonly Setting[]): string {
  const copy = structuredClone(config) as Record<string, unknown>;
  for (const { keys, secret } of settings) if (secret && valueIn(copy, keys) !== undefined) place(copy, keys, '***');
  return `${JSON.stringify(copy, null, 2)}\n`;
}

const valueIn = (tree: unknown, keys: readonly string[]): unknown =>
  keys.reduce<unknown>((node, key) => (isRecord(node) ? node[key] : undefined), tree);

function helpText(app: { readonly name: string; readonly description: string }, settings: readonly Setting[]): string {
  const rows = settings.map((setting) => {
    const value = setting.type === 'boolean' ? '' : `=${setting.type === 'list' ? 'A,B' : setting.type.toUpperCase()}`;
    const note = setting.required
      ? ` (required${setting.groups.length < setting.keys.length - 1 ? ' where its group is set' : ''})`
      : setting.defaultText === undefined
        ? ''
        : ` (default ${setting.defaultText})`;
    return [`${setting.flag}${value}`, `${setting.description}${note}`] as const;
  });
  rows.push(
    ['--config=FILE', 'YAML file with the same settings as keys (variable LIFELINE_CONFIG)'],
    ['--print-config', 'print the configuration in force, secrets masked, and exit'],
    ['--help', 'print this and exit'],
  );
  const width = Math.max(...rows.map(([flag]) => flag.length));
  const lines = rows.map(([flag, text]) => `  ${flag.padEnd(width)}  ${text}`);
  return [
    `${app.name}: ${app.description}`,
    '',
    'Each setting may be given as a flag, as a variable (--a-b-c is LIFELINE_A_B_C) or in the file (a.bC); the first that is given counts.',
    '',
    ...lines,
    '',
  ].join('\n');
}
