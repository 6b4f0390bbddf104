/**
 * Three copies of the example app in one process, over five scripted planes, on one virtual clock. Whenever one of them is killed, the
 * world ends as it would have ended anyway.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { seeds, seedsLimitMs, sized } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { killsOf, type Life, live, type LifeOptions } from './life.fixture.ts';

const path = 'e2e/example/every-await.sim.test.ts';

/** A life that ended well; else an error with the seed, the command that replays it, and its last steps. */
async function good(seed: number, options: LifeOptions = {}): Promise<Life> {
  const life = await live(seed, options);
  if (life.faults.length === 0) return life;
  const again = `seed=${seed} kills=${JSON.stringify(options.kills ?? [])}: npm run sim -- --seeds 1 --first ${seed} ${path}`;
  throw new Error(`${life.faults.join('\n')}\n${again}\n${life.trace.tail(30)}`);
}

describe('three replicas over five planes', () => {
  it(
    'the leader may be killed at any await: the end is the same',
    async () => {
      const steps = 2;
      const clean = await good(1, { steps });
      expect(clean.points).toBeGreaterThan(250);
      // Every one of them in the full tier.
      for (let point = 1; point <= clean.points; point += sized(4, 1)) {
        const { end } = await good(1, { steps, kills: [{ replica: 'a', point }] });
        expect(end, `killed at point ${point}`).toBe(clean.end);
      }
    },
    seedsLimitMs(120_000),
  );

  it(
    'for every seed the end is the same, and the trace replays byte for byte in another process',
    async () => {
      const all = seeds(16, 500);
      const fixture = fileURLToPath(new URL('life.fixture.ts', import.meta.url));
      const elsewhere = promisify(execFile)(
        process.execPath,
        ['--conditions=@lifeline/source', fixture, String(all[0]), String(all.length)],
        { maxBuffer: 2 ** 26 },
      );
      const here: string[] = [];
      for (const seed of all) {
        const { end, trace } = await good(seed, { kills: killsOf(seed) });
        expect(end, `seed=${seed}`).toBe((await good(seed)).end);
        here.push(`${seed} ${trace.hash}`);
      }
      expect((await elsewhere).stdout.trim().split('\n')).toEqual(here);
    },
    seedsLimitMs(240_000),
  );
});
