import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { app as extensionServer, extensionServerRights } from '@lifeline/edge-extension-server';
import { app as retranslator, retranslatorRights } from '@lifeline/edge-retranslator';
import { app as replicator, defaultPolicies } from '@lifeline/hub-replicator';
import { type App, loadConfig, type LoadedConfig } from '@lifeline/k8s';
import type { PolicyRule } from '@lifeline/core';
import { filesOf } from '@lifeline/k8s/testing';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { chartFiles, staleChartFiles } from './chart-gen/chart-files.ts';
import {
  type EdgeRightsFile,
  extensionServerCases,
  extensionServerRightsFile,
  extensionServerSettings,
  retranslatorCases,
  retranslatorRightsFile,
  retranslatorSettings,
} from './chart-gen/edge-rights.ts';
import { extensionServerValues } from './chart-gen/extension-server-values.ts';
import { replicatorValues } from './chart-gen/replicator-values.ts';
import { retranslatorValues } from './chart-gen/retranslator-values.ts';
import { rightsFile, rightsWith, settingsWith, sources } from './chart-gen/rights-file.ts';
import { valuesText } from './chart-gen/values-file.ts';
import { type JsonSchema, valuesSchema } from './chart-gen/values-schema.ts';
import { root } from './root.ts';
import { scratch } from './testing/scratch.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Chart {
  readonly name: string;
  readonly app: App;
  readonly values: z.ZodObject;
  /** Settings that have no default, in the app's words. */
  readonly needed: Readonly<Record<string, unknown>>;
}
const reports = { service: 'edge/servers', serverName: 'servers.edge' };
const tls = { certificate: '/crt', key: '/key', ca: '/ca', hookClients: ['envoy-gateway'] };
/** An app that is asked for its settings only. */
const settingsOf = <Config>({ name, description, config }: App<Config>): App => ({
  name,
  description,
  config,
  start: () => Promise.resolve(),
});
const charts: readonly Chart[] = [
  { name: 'hub-replicator', app: settingsOf(replicator), values: replicatorValues, needed: {} },
  {
    name: 'edge-extension-server',
    app: settingsOf(extensionServer),
    values: extensionServerValues,
    needed: { gatewayClasses: ['edge'], tls, traces: { endpoint: 'http://collector' } },
  },
  {
    name: 'edge-retranslator',
    app: settingsOf(retranslator),
    values: retranslatorValues,
    needed: { edge: { gatewayClasses: ['edge'] }, reports },
  },
];

/** The paths of a schema down to what a template takes as a whole. */
const leaves = ({ properties }: JsonSchema, path = ''): string[] =>
  properties
    ? Object.entries(properties).flatMap(([key, value]) => leaves(value, path === '' ? key : `${path}.${key}`))
    : [path];

/** The settings of an app with this configuration file. */
const load = (app: App, file: unknown): Promise<LoadedConfig<unknown>> =>
  loadConfig(app, {
    argv: ['--config=/config.yaml'],
    variables: {},
    files: filesOf({ '/config.yaml': JSON.stringify(file) }),
    signal: new AbortController().signal,
  });

type Group = Readonly<Record<string, unknown>>;
/** A group over a group, and so below. */
const over = (below: Group, above: Group): Group => ({
  ...below,
  ...Object.fromEntries(
    Object.entries(above).map(([key, value]) => {
      const old = below[key];
      const areGroups = [old, value].every((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
      return [key, areGroups ? over(old as Group, value as Group) : value];
    }),
  ),
});

it('what charts hold is what the sources generate', () => {
  // When this fails: node --conditions=@lifeline/source tools/chart-gen.ts
  expect(staleChartFiles(chartFiles(), root)).toEqual([]);
});

it('what is generated is the same text each time, and the same as YAML 1.1, which Helm reads, and as YAML 1.2', () => {
  expect([...chartFiles()]).toEqual([...chartFiles()]);
  for (const [path, text] of chartFiles())
    if (!path.includes('/templates/')) expect(parse(text, { version: '1.1' }), path).toEqual(parse(text));
});

it('every template is of a chart', () => {
  const used = new Set([...chartFiles().keys()].map((path) => basename(path)));
  const shared = globSync('tools/chart-gen/templates/*', { cwd: root }).map((path) => basename(path));
  expect(shared.length).toBeGreaterThan(10);
  for (const name of shared) expect(used, name).toContain(name);
});

describe.each(charts)('charts/$name', ({ name, app, values: source, needed }) => {
  const folder = `charts/${name}`;
  const templates = globSync(`${folder}/templates/*`, { cwd: root })
    .map((path) => read(path))
    .join('\n');
  const schema = valuesSchema(source);
  const values = (): { config: Group } => parse(read(`${folder}/values.yaml`), { version: '1.1' }) as { config: Group };

  it('has as values exactly the defaults', () => {
    expect(source.parse(values())).toEqual(values());
  });

  it('starts the app with the defaults of the app', async () => {
    expect(await load(app, over(values().config, needed))).toEqual(await load(app, needed));
  });

  it('has each setting of the app as a value', () => {
    const settings = leaves(z.toJSONSchema(app.config, { io: 'input' }) as JsonSchema);
    const below = leaves(schema).flatMap((path) => (path.startsWith('config.') ? [path.slice('config.'.length)] : []));
    expect(below).toEqual(settings);
    expect(settings).toContain('shutdownMs');
    expect(settings.some((path) => path.includes('.'))).toBe(true);
  });

  it('uses in its templates each value, and no other', () => {
    const known = leaves(schema).filter((path) => path !== 'global');
    const used = new Set(Array.from(templates.matchAll(/\.Values\.([A-Za-z.]*[A-Za-z])/g), ([, path = '']) => path));
    const isGroupOf = (path: string) => (other: string) => other === path || other.startsWith(`${path}.`);
    for (const path of used) expect(known.filter(isGroupOf(path)), path).not.toEqual([]);
    // `with .Values.image` goes on with names of its own.
    expect(known.filter((path) => ![...used].some((other) => isGroupOf(other)(path)))).toEqual([]);
  });

  it('is of the version of the app', () => {
    const { appVersion } = parse(read(`${folder}/Chart.yaml`)) as { appVersion: string };
    const { version } = JSON.parse(read(`apps/${name}/package.json`)) as { version: string };
    expect(appVersion).toBe(version);
  });

  it('starts what the build makes, as the user of the image', () => {
    expect(JSON.parse(/^CMD (.*)$/m.exec(read('Containerfile'))?.[1] ?? '')).toEqual(['/app/main.js']);
    expect(read('tools/build.ts')).toContain("resolve(outDir, app, 'main.js')");
    // Arguments of a container replace those of its image.
    expect(templates).not.toMatch(/^ +(?:command|args):/m);
    const user = /^USER (\d+):(\d+)$/m.exec(read('Containerfile'));
    expect(templates).toContain(`runAsUser: ${user?.[1]}\n`);
    expect(templates).toContain(`runAsGroup: ${user?.[2]}\n`);
    expect(Number(user?.[1])).toBeGreaterThan(0);
  });
});

describe('the schema of values', () => {
  const made = valuesSchema(
    z.strictObject({
      must: z.string(),
      may: z.number().default(3).describe('how many'),
      group: z.strictObject({
        inner: z.enum(['', 'a', 'b']).default('').describe('which'),
        open: z.string().optional(),
      }),
      bare: z.strictObject({ none: z.string().optional().describe('nothing') }),
    }),
  );

  it('asks for what has no default, not for groups, and refuses other names', () => {
    expect(made.required).toEqual(['must']);
    expect(made['$schema']).toBe('http://json-schema.org/draft-07/schema#');
    expect(made['additionalProperties']).toBe(false);
    expect(made.properties?.['group']).toMatchObject({ additionalProperties: false });
    expect(made.properties?.['group']).not.toHaveProperty('required');
    expect(Object.keys(made.properties ?? {})).toContain('global');
  });

  it('makes a file of it: comments, defaults, and groups that are there though they are empty', () => {
    expect(valuesText(made).split('\n')).toEqual([
      '# must: (string)',
      '',
      '# how many',
      'may: 3',
      '',
      'group:',
      '  # which (a, b)',
      "  inner: ''",
      '  # open: (string)',
      '',
      'bare: {}',
      '  # nothing',
      '  # none: (string)',
      '',
    ]);
  });
});

describe('the rights of the hub replicator', () => {
  const { roles } = rightsFile();
  const grants = (rules: readonly PolicyRule[]): Set<string> =>
    new Set(
      rules.flatMap(({ apiGroups, resources, verbs }) =>
        (apiGroups ?? []).flatMap((group) =>
          (resources ?? []).flatMap((resource) => (verbs ?? []).map((verb) => `${group}/${resource} ${verb}`)),
        ),
      ),
    );
  const written = (role: string, source: string): readonly PolicyRule[] =>
    roles.filter((entry) => entry.role === role && entry.cases.includes(source)).flatMap(({ rules }) => rules);

  it.each(Object.keys(sources))('of an app with projects from %s are those that it declares', (source) => {
    for (const [role, rules] of Object.entries(rightsWith(settingsWith(source))))
      expect(written(role, source), role).toEqual(rules);
  });

  it('differ between a hub whose projects can be swept and one whose cannot', () => {
    expect(grants(written('hub', 'projects'))).toContain('/namespaces delete');
    expect(grants(written('hub', 'folder'))).not.toContain('/namespaces delete');
  });

  it.each(Object.keys(sources))('are enough where kinds are taken out of the table: %s', (source) => {
    const off = defaultPolicies.map(({ kind }) => ({ group: kind.group, kind: kind.kind, enabled: false }));
    for (const [role, rules] of Object.entries(rightsWith(settingsWith(source, off))) as [string, PolicyRule[]][])
      expect(grants(rules).difference(grants(written(role, source))), role).toEqual(new Set());
  });
});

describe('the rights of the apps of an edge', () => {
  const written = ({ roles }: EdgeRightsFile, name: string): Record<string, readonly PolicyRule[]> =>
    Object.fromEntries(roles.filter(({ cases }) => cases.includes(name)).map(({ role, rules }) => [role, rules]));
  const needed = (rights: object): object =>
    Object.fromEntries(Object.entries(rights).filter(([, rules]: [string, readonly PolicyRule[]]) => rules.length > 0));
  const mayPatch = (rights: Record<string, readonly PolicyRule[]>): boolean =>
    rights['cluster']?.some(({ resources, verbs }) => resources?.includes('gateways') && verbs?.includes('patch')) ??
    false;

  it.each(extensionServerCases)('of an extension server that is %s are those that it declares', (name) => {
    const rights = written(extensionServerRightsFile(), name);
    expect(rights).toEqual(needed(extensionServerRights(extensionServerSettings(name))));
    expect(mayPatch(rights)).toBe(name !== 'answering');
  });

  it.each(retranslatorCases)('of a retranslator that is %s are those that it declares', (name) => {
    const rights = written(retranslatorRightsFile(), name);
    expect(rights).toEqual(needed(retranslatorRights(retranslatorSettings(name))));
    expect(mayPatch(rights)).toBe(true);
  });
});

describe('staleChartFiles', () => {
  it('tells missing files and files that differ', () => {
    using files = scratch({ 'charts/a/values.yaml': 'old', 'charts/b/values.yaml': 'same' });
    const wanted = ['a', 'b', 'c'].map((name): [string, string] => [
      `charts/${name}/values.yaml`,
      name === 'b' ? 'same' : 'new',
    ]);
    expect(staleChartFiles(new Map(wanted), files.path)).toEqual([
      'charts/a/values.yaml: differs',
      'charts/c/values.yaml: missing',
    ]);
  });
});
