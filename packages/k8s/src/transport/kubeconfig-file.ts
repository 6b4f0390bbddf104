/** One kubeconfig document. @see https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/ */
import { isAbsolute, join } from 'node:path';
import {
  type Cluster,
  type Context,
  newClusters,
  newContexts,
  newUsers,
  type User,
} from '@kubernetes/client-node/dist/config_types.js';
import { LineCounter, parseDocument } from 'yaml';
import { KubeconfigError } from './kubeconfig-error.ts';

/** An entry as client-node reads it, and as it was written: client-node drops what newer fields say. */
export interface Entry<T> {
  readonly name: string;
  readonly parsed: T;
  readonly written: Readonly<Record<string, unknown>>;
  readonly origin: Origin;
}

/** Where text came from. */
export interface Origin {
  /** Names it in errors. */
  readonly from: string;
  /** What relative paths start at. Absent: the text is not from a file and may name none. */
  readonly directory: string | undefined;
}

export interface KubeconfigFile {
  readonly currentContext: string | undefined;
  readonly clusters: readonly Entry<Cluster>[];
  readonly users: readonly Entry<User>[];
  readonly contexts: readonly Entry<Context>[];
}

/** @throws KubeconfigError `invalid` */
export function readKubeconfig(text: string, origin: Origin): KubeconfigFile {
  const document = parseYaml(text, origin);
  if (!isRecord(document)) throw new KubeconfigError('invalid', `${origin.from} is no kubeconfig: it holds no mapping`);
  const current = document['current-context'];
  if (current !== undefined && typeof current !== 'string') throw notText(origin, 'current-context');
  return {
    currentContext: current === '' ? undefined : current,
    clusters: entries(document, { list: 'clusters', member: 'cluster', parse: newClusters }, origin),
    users: entries(document, { list: 'users', member: 'user', parse: newUsers }, origin),
    contexts: entries(document, { list: 'contexts', member: 'context', parse: newContexts }, origin),
  };
}

interface Section<T> {
  readonly list: string;
  readonly member: string;
  readonly parse: (list: unknown) => T[];
}

function entries<T extends { readonly name: string }>(
  document: Readonly<Record<string, unknown>>,
  { list, member, parse }: Section<T>,
  origin: Origin,
): Entry<T>[] {
  const written = document[list] ?? [];
  if (!Array.isArray(written)) throw new KubeconfigError('invalid', `${origin.from}: ${list} is no list`);
  const cleaned = written.map((entry: unknown, index) =>
    cleanEntry(entry, member, `${origin.from}: ${list}[${index}]`),
  );
  try {
    const parsed = parse(cleaned);
    return parsed.map((one, index) => ({
      name: one.name,
      parsed: one,
      written: (cleaned[index]?.[member] ?? {}) as Record<string, unknown>,
      origin,
    }));
  } catch (cause) {
    throw new KubeconfigError('invalid', `${origin.from}: ${(cause as Error).message}`, { cause });
  }
}

/** Checks what client-node takes for granted. */
function cleanEntry(entry: unknown, member: string, where: string): Record<string, unknown> {
  if (!isRecord(entry)) throw new KubeconfigError('invalid', `${where} is no mapping`);
  const inner = entry[member] ?? {};
  if (!isRecord(inner)) throw new KubeconfigError('invalid', `${where}.${member} is no mapping`);
  for (const [path, value] of [['name', entry['name']], ...Object.entries(inner)] as [string, unknown][]) {
    if (typeof value === 'number') throw new KubeconfigError('invalid', `${where}: ${path} must be text: quote it`);
  }
  // Not a field of Kubernetes; client-node would read that file by itself, at once.
  const { 'token-file': _ignored, ...rest } = inner;
  return { ...entry, [member]: rest };
}

/** Errors say where, and quote nothing: the line may hold a token. */
function parseYaml(text: string, { from }: Origin): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (!error) return document.toJS({ maxAliasCount: 100 });
  const { line, col } = lines.linePos(error.pos[0]);
  throw new KubeconfigError('invalid', `${from} is no YAML: ${error.code} at line ${line}, column ${col}`);
}

/** A path as the process must name it. @throws KubeconfigError `not-self-contained` */
export function pathIn({ from, directory }: Origin, path: string, field: string): string {
  if (directory === undefined) {
    throw new KubeconfigError(
      'not-self-contained',
      `${from}: ${field} names a file; only inline data is taken from here`,
    );
  }
  return isAbsolute(path) ? path : join(directory, path);
}

/** A field that must be text where it is there at all. */
export function textOf({ written, origin, name }: Entry<unknown>, field: string): string | undefined {
  const value = written[field];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw notText(origin, `${field} of ${name}`);
  return value;
}

/** Text behind base64. */
export function decodedText(entry: Entry<unknown>, field: string): string | undefined {
  const value = textOf(entry, field)?.replaceAll(/\s/g, '');
  if (value === undefined) return undefined;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(value)) {
    throw new KubeconfigError('invalid', `${entry.origin.from}: ${field} of ${entry.name} is no base64`);
  }
  return Buffer.from(value, 'base64').toString('utf8');
}

const notText = ({ from }: Origin, field: string): KubeconfigError =>
  new KubeconfigError('invalid', `${from}: ${field} must be text`);

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
