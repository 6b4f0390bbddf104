import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { seeds, seedsLimitMs } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { faultNames } from '../testing/faults.ts';
import { Trace } from '../testing/trace.ts';
import { type Storm, storm } from './storm.fixture.ts';

const path = 'packages/k8s/src/cache/storm.sim.test.ts';

async function run(seed: number): Promise<Storm> {
  try {
    return await storm(seed);
  } catch (error) {
    const again = `npm run sim -- --seeds 1 --first ${seed} ${path}`;
    throw new Error(`seed=${seed} (run it again: ${again})`, { cause: error });
  }
}

describe('an informer in bad weather', () => {
  const hashes = new Map<number, string>();

  it(
    'converges for every seed, and each seed replays to the same trace',
    async () => {
      const seen = new Set<string>();
      for (const seed of seeds(100)) {
        const first = await run(seed);
        const second = await run(seed);
        if (first.trace.hash !== second.trace.hash) {
          throw new Error(`seed=${seed} ran differently: ${Trace.difference(first.trace, second.trace)}`);
        }
        hashes.set(seed, first.trace.hash);
        for (const what of first.seen) seen.add(what);
      }
      if (hashes.size < 100) return;
      // The weather was bad enough: each fault struck, each way to end was met.
      const ends = ['closed', 'barren', 'silent', 'rewound', 'expired', 'kind-missing', 'forbidden', 'failed'];
      expect([...ends, ...faultNames.filter((name) => name !== 'conflict')].filter((what) => !seen.has(what))).toEqual(
        [],
      );
    },
    seedsLimitMs(120_000),
  );

  it(
    'in another process too',
    () => {
      const some = [...hashes.keys()].slice(0, 5);
      const fixture = fileURLToPath(new URL('storm.fixture.ts', import.meta.url));
      const output = execFileSync(process.execPath, ['--conditions=@lifeline/source', fixture, ...some.map(String)], {
        encoding: 'utf8',
      });
      expect(output.trim().split('\n')).toEqual(some.map((seed) => hashes.get(seed)));
    },
    seedsLimitMs(60_000),
  );
});
