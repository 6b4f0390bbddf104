/** Random requests that concern few objects, so that they meet. */
import type { Random } from '@lifeline/core';
import { chance, changeOf, jsonPatchOf, membersOf, pick } from './content.ts';
import type { ModelResource, Operation, PatchType } from './operation.ts';

/** By how much they matter to us. */
const resources: readonly ModelResource[] = [
  'configmaps',
  'configmaps',
  'widgets',
  'widgets',
  'widgets',
  'services',
  'gadgets',
  'leases',
  'deployments',
];
const names = ['a', 'a', 'b'];
const managers = ['one', 'two', 'three'];

/** As many operations as asked for; a function of `random` alone. */
export function generateOperations(random: Random, count: number): readonly Operation[] {
  // A run keeps to one or two resources, or hardly anything would happen to any object.
  const chosen = [pick(random, resources), pick(random, resources)];
  return Array.from({ length: count }, () => generate(random, pick(random, chosen)));
}

function generate(random: Random, resource: ModelResource): Operation {
  const name = pick(random, names);
  const one = { resource, name };
  const write = { manager: pick(random, managers), dryRun: chance(random, 0.06) };
  const subresource = resource === 'widgets' && chance(random, 0.3) ? 'status' : undefined;
  const roll = random.next();
  if (roll < 0.2) return { verb: 'create', ...one, ...write, members: membersOf(random, resource, subresource) };
  if (roll < 0.35) {
    const change = changeOf(random, resource, subresource);
    return {
      verb: 'update',
      ...one,
      ...write,
      subresource,
      change,
      stale: chance(random, 0.2) ? 1 + random.int(3) : 0,
      keepResourceVersion: chance(random, 0.85),
    };
  }
  if (roll < 0.6) {
    const type = pick<PatchType>(random, ['merge', 'merge', 'json', 'strategic']);
    const patch = type === 'json' ? jsonPatchOf(random, resource) : changeOf(random, resource, subresource);
    return { verb: 'patch', ...one, ...write, subresource, type, patch };
  }
  if (roll < 0.8) {
    return {
      verb: 'apply',
      ...one,
      ...write,
      subresource,
      members: membersOf(random, resource, subresource),
      force: chance(random, 0.4),
    };
  }
  if (roll < 0.88) {
    const precondition = pick(random, ['none', 'none', 'uid', 'resourceVersion'] as const);
    return {
      verb: 'delete',
      ...one,
      precondition,
      stale: chance(random, 0.3) ? 1 + random.int(3) : 0,
      dryRun: write.dryRun,
    };
  }
  if (roll < 0.92) return { verb: 'get', ...one };
  if (roll < 0.98) {
    return {
      verb: 'list',
      resource,
      labelSelector: chance(random, 0.4) ? pick(random, ['l=1', 'l!=1', 'l']) : undefined,
      limit: chance(random, 0.3) ? 1 : undefined,
    };
  }
  return { verb: 'deletecollection', resource, labelSelector: pick(random, ['l=1', 'l=2']) };
}
