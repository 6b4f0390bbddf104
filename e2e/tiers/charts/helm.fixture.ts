/** The real helm, and what it renders. */
import { execFile } from 'node:child_process';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type KubeObject, type PolicyRule, setOwn } from '@lifeline/core';
import { parseAllDocuments, stringify } from 'yaml';

export const charts: string = resolve(import.meta.dirname, '../../../charts');

export type Values = Readonly<Record<string, unknown>>;

/** An object as a manifest has it. */
export interface Manifest extends KubeObject {
  readonly rules?: readonly PolicyRule[];
  readonly subjects?: readonly Readonly<Record<string, string>>[];
  readonly roleRef?: Readonly<Record<string, string>>;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly data?: Readonly<Record<string, string>>;
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs helm to its end, with no configuration of whoever runs it. */
export async function runHelm(args: readonly string[], values?: Values): Promise<Ran> {
  const helm = process.env['HELM'];
  if (!helm) throw new Error('HELM is not set: run the tests with `npm run tier -- charts`');
  await using home = await mkdtempDisposable(join(tmpdir(), 'lifeline-helm-'));
  const file = join(home.path, 'values.yaml');
  if (values) await writeFile(file, stringify(values));
  const env = { HOME: home.path, HELM_CACHE_HOME: home.path, HELM_CONFIG_HOME: home.path, HELM_DATA_HOME: home.path };
  const { promise, resolve: done } = Promise.withResolvers<Ran>();
  execFile(helm, values ? [...args, '--values', file] : args, { env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
    done({ code: error ? Number(error.code ?? 128) : 0, stdout, stderr }),
  );
  return await promise;
}

/** The release of these tests. */
export const release = { name: 'lifeline', namespace: 'lifeline-system' };

export const runTemplate = (chart: string, values: Values, ...flags: readonly string[]): Promise<Ran> =>
  runHelm(['template', release.name, join(charts, chart), '--namespace', release.namespace, ...flags], values);

/** What a chart renders; expects it to succeed. */
export async function template(chart: string, values: Values): Promise<readonly Manifest[]> {
  const { code, stdout, stderr } = await runTemplate(chart, values);
  if (code !== 0) throw new Error(`helm template exits with ${code}:\n${stderr}`);
  return manifestsOf(stdout);
}

/** As Kubernetes reads them, in the order of kind, namespace and name. @throws YAMLParseError on a key that stands twice */
export function manifestsOf(text: string): readonly Manifest[] {
  const documents = parseAllDocuments(text, { version: '1.1', uniqueKeys: true });
  const objects = documents.flatMap((document) => {
    for (const error of document.errors) throw error;
    return document.contents === null ? [] : [document.toJS() as Manifest];
  });
  const key = ({ kind, metadata }: Manifest): string => [kind, metadata.namespace ?? '', metadata.name].join('/');
  return objects.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Values over values: groups are merged, everything else is replaced, as helm does it. */
export function merged(below: Values, above: Values): Values {
  const isGroup = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const all: Record<string, unknown> = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const old = all[key];
    setOwn(all, key, isGroup(old) && isGroup(value) ? merged(old, value) : value);
  }
  return all;
}
