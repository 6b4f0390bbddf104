/**
 * A schedule that fails on purpose: a process does what its app never declared. A runner that does not see it sees nothing.
 */
import { ConfigMap, type JsonObject } from '@lifeline/core';
import { createClient } from '@lifeline/k8s';
import type { Act } from '../schedule/scenario.ts';
import type { ActStep } from '../schedule/step.ts';
import type { World } from '../world/world.ts';

const act = '(canary)';

const carryOut: Act = async (world, _args, random) => {
  const [actor = ''] = world.processes.names;
  const [plane] = world.planes.values();
  if (!plane) return;
  const client = createClient({
    transport: world.wires.direct({ actor, incarnation: world.processes.incarnation(actor) }, plane),
    baseUrl: plane.url,
    clock: world.clock,
    random,
    userAgent: 'canary',
  });
  const object = { metadata: { namespace: 'default', name: 'canary' } };
  await client.create(ConfigMap, object, { signal: new AbortController().signal, fieldManager: 'canary' });
};

const step = (at: number): ActStep => ({ id: -1, step: 'act', at, act, args: {} satisfies JsonObject });

export const canary = {
  act,
  carryOut,
  step,
  /** What must be found. */
  oracle: 'S3',
  /** Every so many seeds. */
  every: 100,
} as const satisfies Record<string, unknown> & { carryOut: (world: World, args: JsonObject, random: never) => unknown };
