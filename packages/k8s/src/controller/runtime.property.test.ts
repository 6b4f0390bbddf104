/** Any controller over any sequence of changes, faults, engagements and lost events. */
import { ConfigMap, seeded, TerminalError } from '@lifeline/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KubeError } from '../client/kube-error.ts';
import { defineController } from './define-controller.ts';
import { noFence } from './fence.ts';
import { configMap, fakeEnv, FakeProvider } from './fleet.fixture.ts';
import { self } from './mapper.ts';
import { runController } from './runtime.ts';
import { watch } from './watch.ts';

const clusters = ['p1', 'p2', 'p3'] as const;
const floorMs = 120_000;

const clusterArb = fc.constantFrom(...clusters);
const nameArb = fc.constantFrom('a', 'b', 'c');
const stepArb = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      op: fc.constant('put' as const),
      cluster: clusterArb,
      name: nameArb,
      seen: fc.boolean(),
      origin: fc.constantFrom('watch' as const, 'list' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('remove' as const), cluster: clusterArb, name: nameArb }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('wait' as const), ms: fc.nat(5000) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constantFrom('suspend' as const, 'resume' as const, 'disengage' as const, 'engage' as const),
      cluster: clusterArb,
    }),
  },
);

describe('runController, whatever happens', () => {
  it('ends with every object looked at in its last state, never two looks at a time, and nothing left behind', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stepArb, { maxLength: 60, size: 'max' }), fc.integer(), async (steps, seed) => {
        const { clock, env } = fakeEnv(seed);
        const projects = new FakeProvider('project', ...clusters);
        const chance = seeded(`faults ${seed}`);
        let healed = false;
        const working = new Set<string>();
        const twice: string[] = [];
        const lookedAt = new Map<string, string | undefined>();
        const controller = defineController({
          name: 'any',
          watches: [watch(projects, ConfigMap, { mapper: self })],
          writes: [],
          floorMs,
          deadlineMs: 2000,
          workers: 1 + chance.int(4),
          async reconcile({ cluster, key }, context) {
            const name = `${cluster} ${key}`;
            if (working.has(name)) twice.push(name);
            working.add(name);
            try {
              const state = context.cluster(projects, cluster).store(ConfigMap).get(key)?.data?.['state'];
              await context.clock.sleep(chance.int(healed ? 50 : 3000), context.signal);
              if (!healed) await fail(chance.int(8));
              lookedAt.set(name, state);
              return chance.int(3) === 0 ? { after: chance.int(10_000) } : undefined;
            } finally {
              working.delete(name);
            }
          },
        });
        const stop = new AbortController();
        const running = runController(controller, { env, fence: () => noFence, signal: stop.signal });

        let state = 0;
        for (const step of steps) {
          if (step.op === 'wait') await clock.advance(step.ms);
          else if (step.op === 'put' || step.op === 'remove') {
            const informer = projects.find(step.cluster)?.of(ConfigMap);
            if (step.op === 'remove') informer?.remove(`default/${step.name}`);
            else if (step.seen) informer?.put(configMap(step.name, { state: String(state++) }), step.origin);
            else informer?.putUnseen(configMap(step.name, { state: String(state++) }));
          } else if (step.op !== 'engage' || !projects.find(step.cluster)) projects[step.op](step.cluster);
        }
        healed = true;
        for (const name of clusters) projects.resume(name);
        await clock.advance(1.1 * floorMs + 120_000);

        for (const cluster of projects.list()) {
          for (const { metadata, data } of cluster.informer(ConfigMap).store.list()) {
            const name = `${cluster.name} default/${metadata.name}`;
            expect(lookedAt.get(name), name).toBe(data?.['state']);
          }
        }
        stop.abort(new Error('stop'));
        await clock.run(running);
        expect(twice).toEqual([]);
        expect([clock.pending, projects.subscribers, projects.waiting, working.size]).toEqual([0, 0, 0, 0]);
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});

function fail(draw: number): Promise<void> {
  switch (draw) {
    case 0:
      return Promise.reject(new KubeError('conflict', 'somebody else'));
    case 1:
      return Promise.reject(new KubeError('unavailable', 'down'));
    case 2:
      return Promise.reject(new KubeError('throttled', 'slow down', { retryAfterMs: 3000 }));
    case 3:
      return Promise.reject(new KubeError('invalid', 'no'));
    case 4:
      return Promise.reject(new TerminalError('never'));
    case 5:
      return Promise.reject(new RangeError('a bug'));
    default:
      return Promise.resolve();
  }
}
