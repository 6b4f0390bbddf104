import type { Mutant } from './types.ts';

const dir = 'apps/hub-replicator/src/mirror';
const mirrored = 'apps/hub-replicator/src/secrets/mirrored.scripted.test.ts';
const unserved = 'e2e/hub-replicator/mirror-unserved.test.ts';

export const mutants: Mutant[] = [
  {
    id: 'mirror-waits-for-a-kind-in-silence',
    file: `${dir}/controller.ts`,
    find: 'if (error instanceof ClusterNotReadyError && !isServed(hub, rules)) noteUnserved(scene);',
    replace: '',
    test: unserved,
    why: 'the owner of an object that cannot end is told what it waits for',
  },
  {
    id: 'mirror-blames-a-kind-for-live-objects',
    file: `${dir}/unserved.ts`,
    find: '!isDeleting(upstream) || ',
    replace: '',
    test: unserved,
    why: 'only what is being deleted waits: the hub may do without a kind',
  },
  {
    id: 'mirror-counts-held-policies-for-ever',
    file: `${dir}/neighbours.ts`,
    find: "memory.tallies.held.set(target.cluster, id, at !== 'open');",
    replace: 'memory.tallies.held.set(target.cluster, id, true);',
    test: mirrored,
    name: 'a policy that comes before its Secret',
    why: 'a policy that is served is held back no longer',
  },
  {
    id: 'mirror-counts-policies-that-went',
    file: `${dir}/mirror-one.ts`,
    find: 'scene.memory.tallies.forget(scene.target.cluster, scene.id);',
    replace: '',
    test: mirrored,
    name: 'a policy that is held back and goes',
    why: 'what is gone is counted nowhere',
  },
];
