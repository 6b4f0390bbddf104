/** Configuration: flag, then environment variable, then file, then default, checked once against the app's schema. */
import { describeError, PlatformError } from '@lifeline/core';
import { parseDocument } from 'yaml';
import type { z } from 'zod';
import { type Setting, settingsOf } from './config-schema.ts';
import type { App } from './define-app.ts';
import type { Files } from './env.ts';
import { nearest } from './nearest.ts';

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
  /** `--help`, `--version` or `--print-config`: print this and leave with 0. */
  | { readonly ask: 'print'; readonly text: string };

interface Given {
  readonly value: unknown;
  /** For messages: `flag --x`, `variable LIFELINE_X`, `file /etc/x.yaml`. */
  readonly from: string;
}

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
  const parsed = app.config.safeParse(withBranches(tree, settings));
  if (!parsed.success) problems.push(...issuesOf(parsed.error, settings, origins));
  if (problems.length > 0 || !parsed.success) throw new ConfigError(problems);
  if (flags.printConfig) return { ask: 'print', text: masked(parsed.data, settings) };
  return { ask: 'run', config: parsed.data };
}

interface Flags {
  readonly values: Map<string, Given>;
  readonly problems: string[];
  help: boolean;
  printConfig: boolean;
  configFile: string | undefined;
}

function readFlags(settings: readonly Setting[], argv: readonly string[]): Flags {
  const byFlag = new Map(settings.map((setting) => [setting.flag, setting]));
  const flags: Flags = { values: new Map(), problems: [], help: false, printConfig: false, configFile: undefined };
  const rest = [...argv];
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    if (argument === '-h' || argument === '--help') flags.help = true;
    else if (argument === '--print-config') flags.printConfig = true;
    else {
      const equals = argument.indexOf('=');
      const name = equals < 0 ? argument : argument.slice(0, equals);
      const inline = equals < 0 ? undefined : argument.slice(equals + 1);
      const setting = byFlag.get(name);
      if (name !== '--config' && !setting) {
        flags.problems.push(unknownName(name, ['--config', '--help', '--print-config', ...byFlag.keys()], 'flag'));
        if (inline === undefined && rest[0] !== undefined && !rest[0].startsWith('--')) rest.shift();
        continue;
      }
      const bare = setting?.type === 'boolean' && (rest[0] === undefined || !/^(true|false)$/.test(rest[0]));
      const text = inline ?? (bare ? 'true' : rest.shift());
      if (text === undefined) flags.problems.push(`flag ${name} needs a value: ${name}=VALUE`);
      else if (!setting) flags.configFile = text;
      else if (setting.type === 'list') {
        const sofar = (flags.values.get(setting.path)?.value as string[] | undefined) ?? [];
        flags.values.set(setting.path, { value: [...sofar, ...splitList(text)], from: `flag ${name}` });
      } else {
        const value = fromText(setting, text);
        if (value === undefined)
          flags.problems.push(`${setting.path} (flag ${name}): "${shown(setting, text)}" is no ${setting.type}`);
        else flags.values.set(setting.path, { value, from: `flag ${name}` });
      }
    }
  }
  return flags;
}

/**
 * Kubernetes puts a variable for each Service of the namespace into every container, so a Service named `lifeline-…` brings variables
 * of our prefix that are nobody's setting.
 * @see https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
 */
const serviceLink = /_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_\d+_(TCP|UDP|SCTP)(_(ADDR|PORT|PROTO))?)$/;
const serviceLinkValue = /^(tcp|udp|sctp):\/\//;

function readVariables(
  settings: readonly Setting[],
  variables: ConfigInput['variables'],
  problems: string[],
): Map<string, Given> {
  const byName = new Map(settings.map((setting) => [setting.variable, setting]));
  const values = new Map<string, Given>();
  for (const [name, text] of Object.entries(variables)) {
    if (
      !name.startsWith('LIFELINE_') ||
      name === 'LIFELINE_CONFIG' ||
      text === undefined ||
      serviceLinkValue.test(text)
    )
      continue;
    const setting = byName.get(name);
    if (setting) {
      const value = fromText(setting, text);
      if (value === undefined)
        problems.push(`${setting.path} (variable ${name}): "${shown(setting, text)}" is no ${setting.type}`);
      else values.set(setting.path, { value, from: `variable ${name}` });
    } else if (!serviceLink.test(name)) problems.push(unknownName(name, [...byName.keys()], 'variable'));
  }
  return values;
}

async function readFile(
  path: string,
  settings: readonly Setting[],
  { files, signal, problems }: ConfigInput & { problems: string[] },
): Promise<unknown> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await files.read(path, signal));
  } catch (error) {
    signal.throwIfAborted();
    problems.push(`--config ${path}: ${describeError(error)}`);
    return {};
  }
  const document = parseDocument(text, { uniqueKeys: true });
  for (const error of document.errors) problems.push(`--config ${path}: ${error.message.split('\n')[0] ?? ''}`);
  if (document.errors.length > 0) return {};
  const content: unknown = document.toJS() ?? {};
  if (!isRecord(content)) problems.push(`--config ${path}: the file must hold a mapping of settings`);
  else reportUnknown(content, [], { settings, path, problems });
  return content;
}

function reportUnknown(
  content: Record<string, unknown>,
  keys: readonly string[],
  context: { settings: readonly Setting[]; path: string; problems: string[] },
): void {
  for (const [key, value] of Object.entries(content)) {
    const here = [...keys, key].join('.');
    if (context.settings.some((setting) => setting.path === here)) continue;
    const below = context.settings.some((setting) => setting.path.startsWith(`${here}.`));
    if (below && isRecord(value)) reportUnknown(value, [...keys, key], context);
    else if (below) context.problems.push(`${here} (file ${context.path}): must be a mapping`);
    else
      context.problems.push(
        `${unknownName(
          here,
          context.settings.map((s) => s.path),
          'key',
        )} in file ${context.path}`,
      );
  }
}

function unknownName(name: string, known: readonly string[], what: string): string {
  const guess = nearest(name, known);
  return `unknown ${what} ${name}${guess ? `: did you mean ${guess}?` : ' (see --help)'}`;
}

function valueAt(content: unknown, setting: Setting, file: string | undefined): Given | undefined {
  let value: unknown = content;
  for (const key of setting.keys) value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value === undefined ? undefined : { value, from: `file ${String(file)}` };
}

function fromText(setting: Setting, text: string): unknown {
  switch (setting.type) {
    case 'string':
      return text;
    case 'number':
      return text.trim() === '' || Number.isNaN(Number(text)) ? undefined : Number(text);
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'list':
      return splitList(text);
    case 'json':
      try {
        return JSON.parse(text) as unknown;
      } catch {
        return undefined;
      }
  }
}

const splitList = (text: string): string[] => (text === '' ? [] : text.split(',').map((item) => item.trim()));

function place(tree: Record<string, unknown>, keys: readonly string[], value: unknown): void {
  let node = tree;
  for (const key of keys.slice(0, -1)) node = (node[key] ??= {}) as Record<string, unknown>;
  node[keys.at(-1) as string] = value;
}

/** Branches that nothing was given for are there all the same, so that the defaults of their leaves apply. */
function withBranches(tree: Record<string, unknown>, settings: readonly Setting[]): Record<string, unknown> {
  for (const { keys } of settings) {
    let node = tree;
    for (const key of keys.slice(0, -1)) node = (node[key] ??= {}) as Record<string, unknown>;
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

const shown = (setting: Setting, text: string): string => (setting.secret ? '***' : text);

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
      ? ' (required)'
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

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
