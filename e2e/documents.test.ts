import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VirtualClock } from '@lifeline/core/testing';
import { ConfigMap, type Kind, Project, seeded } from '@lifeline/core';
import { mirror } from '@lifeline/example-mirror';
import { config, Lag, policiesOf, replicatorControllers } from '@lifeline/hub-replicator';
import { type Controller, createLog, fleetFactory, noFence, staticSource } from '@lifeline/k8s';
import { filesOf, SimulatedProcess } from '@lifeline/k8s/testing';
import { groupsOfRole, kindsOfRole } from '@lifeline/sim';
import { describe, expect, it } from 'vitest';
import { deadEnds, tableRows } from './documents.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const filesAt = (...patterns: string[]): string[] => globSync(patterns, { cwd: root }).sort();

describe('the documents', () => {
  it('lead somewhere', () => {
    const documents = filesAt('*.md', 'docs/**/*.md', '{packages,apps,charts}/*/**/*.md')
      .filter((path) => !path.includes('node_modules'))
      .map((path) => ({ path, text: read(path) }));
    expect(documents.length).toBeGreaterThan(10);
    expect(deadEnds(documents, (path) => existsSync(join(root, path)))).toEqual([]);
  });

  it.each(['management', 'project', 'hub', 'edge', 'cell'] as const)(
    'planes says which groups a plane of role %s serves',
    (role) => {
      const rows = tableRows(read('docs/planes.md'));
      const column = rows.find(([head]) => head === 'group')?.indexOf(role) ?? -1;
      const said = rows.flatMap((row) => (row[column] === 'yes' ? (row[0] ?? '') : []));
      expect(said).toEqual(groupsOfRole(role));
      expect(said.every((group) => kindsOfRole(role).some((kind) => kind.group === group))).toBe(true);
    },
  );

  it('write-a-controller shows every source file of its app', () => {
    const text = read('docs/write-a-controller.md');
    const sources = filesAt('apps/example-mirror/src/**/*.ts').filter((path) => !/\.(test|fixture)\.ts$/.test(path));
    expect(sources.length).toBeGreaterThan(5);
    expect(sources.filter((path) => !text.includes(`\n\`\`\`ts file=${path}\n`))).toEqual([]);
  });

  describe('ARCHITECTURE has a row for each right to write', () => {
    const { env } = new SimulatedProcess({
      name: 'rights',
      clock: new VirtualClock(),
      random: seeded('rights'),
      transport: () => () => Promise.reject(new Error('there is no network')),
      files: filesOf({}),
      log: createLog({ clock: new VirtualClock(), write: () => undefined }),
    });
    const provider = (plane: string) => fleetFactory(env, 'rights')({ plane, source: staticSource({}) });
    const written = (app: string) => tableRows(read('ARCHITECTURE.md')).filter(([name]) => name?.startsWith(`${app} `));
    const rowsOf = (app: string, { name, writes }: Controller, kinds: readonly Kind[] = []): string[][] => {
      // One controller for each kind: what one of them writes of its own kind, all do.
      const own = kinds.find(({ plural }) => name === `mirror-${plural}`);
      return writes.map(({ plane, kind, fields, owner }) => {
        const isAnchor = kind.id === ConfigMap.id && !fields.includes('data') && plane === 'hub';
        const what = own?.id === kind.id && !isAnchor ? 'its own' : kind.kind;
        return [`${app} ${own ? 'mirror-*' : name}`, plane, what, fields.join(', '), owner];
      });
    };

    it('of the example app', () => {
      const controller = mirror({ sources: provider('source'), target: provider('target'), namespace: 'mirrors' });
      expect(written('example-mirror')).toEqual(rowsOf('example-mirror', controller));
    });

    it('of the hub replicator', () => {
      const settings = config.parse({ hub: {}, projects: {}, shards: {}, connector: {}, sweep: {} });
      const { policies } = policiesOf([]);
      const controllers = replicatorControllers({
        env,
        settings,
        policies,
        installation: 'rights',
        lag: new Lag(env),
        hub: provider('hub'),
        projects: provider('project'),
        authority: { provider: provider('control-plane'), kind: Project },
        shards: { fence: () => noFence },
      });
      const rows = controllers.flatMap((controller) =>
        rowsOf(
          'hub-replicator',
          controller,
          policies.map(({ kind }) => kind),
        ),
      );
      // What is deleted and never written has no fields.
      const fielded = rows.filter(([, , , fields]) => fields !== '').map((row) => row.join(' | '));
      expect(written('hub-replicator').map((row) => row.join(' | '))).toEqual([...new Set(fielded)]);
    });
  });
});

describe('deadEnds', () => {
  const there = ['README.md', 'docs/a.md', 'docs/b.md', 'tools/x.ts'];
  const ends = (path: string, text: string): string[] =>
    deadEnds(
      [
        { path, text },
        { path: 'docs/b.md', text: '# B\n\n## What it is, for now\n' },
      ],
      (name) => there.includes(name),
    );

  it.each([
    ['README.md', '[a](docs/a.md) [b](docs/b.md#b) [c](docs/b.md#what-it-is-for-now) [d](https://example.com/no)'],
    ['docs/a.md', '# Here\n[up](../README.md) [beside](b.md) [self](#here) `tools/x.ts` `tools/*.ts` `x/y`'],
    ['docs/adr/1.md', 'there will be `packages/apiserver`'],
    ['docs/a.md', '```sh\ncat `docs/none.md` [a](none.md)\n```\n'],
  ])('is silent about %s: %s', (path, text) => {
    expect(ends(path, text)).toEqual([]);
  });

  it.each([
    ['README.md', '[a](docs/c.md)', 'docs/c.md leads to docs/c.md, which is not there'],
    ['docs/a.md', '[up](README.md)', 'README.md leads to docs/README.md, which is not there'],
    ['README.md', '[b](docs/b.md#c)', 'docs/b.md#c leads to a heading that is not there'],
    ['docs/a.md', '# Here\n[self](#there)', '#there leads to a heading that is not there'],
    ['README.md', 'see `tools/y.ts`', 'there is no tools/y.ts'],
  ])('says so: %s: %s', (path, text, fault) => {
    expect(ends(path, text)).toEqual([`${path}: ${fault}`]);
  });
});
