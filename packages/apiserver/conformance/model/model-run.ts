/** Random runs against one target. */
import { seeded, systemClock, systemRandom } from '@lifeline/core';
import { required } from '../answer.ts';
import { Api } from '../api.ts';
import { installDefinitions, removeDefinitions } from '../install.ts';
import type { Target } from '../target.ts';
import { generateOperations } from './generate.ts';
import type { Observation } from './normalise.ts';
import { performOperations } from './perform.ts';

export interface ModelRunOptions {
  readonly seeds: readonly string[];
  /** Most requests of a run. */
  readonly length: number;
}

/** The operations of a seed: 1 to `length` of them. */
export function operationsOf(seed: string, length: number): ReturnType<typeof generateOperations> {
  const random = seeded(`model ${seed}`);
  return generateOperations(random, 1 + random.int(length));
}

/** What a target says in the run of each seed, one after the other in one namespace. */
export async function runModel(
  target: Target,
  { seeds, length }: ModelRunOptions,
): Promise<ReadonlyMap<string, readonly Observation[]>> {
  const { clock = systemClock, random = systemRandom } = target;
  const api = new Api({ ...target, clock, limitMs: 60_000 });
  const id = `m${random.hex(4)}`;
  const group = `${id}.conformance.lifeline.dev`;
  const namespace = id;
  const namespaces = '/api/v1/namespaces';
  await installDefinitions(api, group);
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  required(await api.request('POST', namespaces, { body }), 201);
  const results = new Map<string, readonly Observation[]>();
  try {
    for (const seed of seeds) {
      results.set(seed, await performOperations({ api, group, namespace }, operationsOf(seed, length)));
    }
  } finally {
    await api.request('DELETE', `${namespaces}/${namespace}`);
    await removeDefinitions(api, group);
  }
  return results;
}
