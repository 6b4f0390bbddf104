/** The places that settings are given in: flags, environment variables, a YAML file. Each is read as a whole; what is wrong in it is told. */
import { describeError } from '@lifeline/core';
import { parseDocument } from 'yaml';
import type { Setting } from './config-schema.ts';
import type { Files } from './env.ts';
import { nearest } from './nearest.ts';

/** A value, not yet checked. */
export interface Given {
  readonly value: unknown;
  /** For messages: `flag --x`, `variable LIFELINE_X`, `file /etc/x.yaml`. */
  readonly from: string;
}

/** What the command line says. */
export interface Flags {
  readonly values: Map<string, Given>;
  readonly problems: string[];
  help: boolean;
  printConfig: boolean;
  configFile: string | undefined;
}

export function readFlags(settings: readonly Setting[], argv: readonly string[]): Flags {
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

export function readVariables(
  settings: readonly Setting[],
  variables: Readonly<Record<string, string | undefined>>,
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

export interface FileContext {
  readonly files: Files;
  readonly signal: AbortSignal;
  readonly problems: string[];
}

export async function readFile(
  path: string,
  settings: readonly Setting[],
  { files, signal, problems }: FileContext,
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

/** What the file says of a setting. */
export function valueAt(content: unknown, setting: Setting, file: string | undefined): Given | undefined {
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

const shown = (setting: Setting, text: string): string => (setting.secret ? '***' : text);

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
