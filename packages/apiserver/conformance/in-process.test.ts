/** The suite over the transport, on a virtual clock; and random requests, answered as a real server answered them. */
import { readFileSync } from 'node:fs';
import { parseJson } from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conformanceCases, Session, type Target } from './index.ts';
import { firstDifference } from './model/difference.ts';
import { operationsOf, runModel } from './model/model-run.ts';
import type { Observation } from './model/normalise.ts';
import { decodeRun, type Recording } from './model/recording.ts';
import { createPlane, credentials } from './plane.fixture.ts';

const clock = new VirtualClock();
const server = createPlane(clock);
const target: Target = {
  transport: server.transport,
  baseUrl: 'https://plane.test',
  credentials,
  clock,
  random: seeded('conformance'),
  can: {
    controllers: true,
    compact: async () => server.compact(),
    // As close as a server without a process comes to it.
    restart: async () => server.restore(server.snapshot()),
  },
};

afterAll(() => server[Symbol.dispose]());

describe('conformance in process', () => {
  const session = new Session(target);

  for (const testCase of conformanceCases) {
    it.skipIf(session.missing(testCase).length > 0)(testCase.name, async () => {
      const result = await clock.run(session.run(testCase));
      if (result.outcome === 'failed') expect.fail(result.failures.join('\n'));
    });
  }

  it('leaves no watch open', () => {
    expect(server.openWatches).toBe(0);
  });
});

describe('model conformance', () => {
  const file = new URL('testdata/answers.json', new URL('model/', import.meta.url));
  const { runs, length } = parseJson(readFileSync(file, 'utf8')) as unknown as Recording;
  let ours: ReadonlyMap<string, readonly Observation[]>;

  beforeAll(async () => {
    ours = await clock.run(runModel(target, { seeds: Object.keys(runs), length }));
  });

  it.each(Object.entries(runs))('seed %s', (seed, entries) => {
    const real = decodeRun(entries, operationsOf(seed, length));
    expect(real.length).toBeGreaterThan(0);
    const difference = firstDifference(real, ours.get(seed) ?? []);
    if (difference !== undefined) expect.fail(difference);
  });
});
