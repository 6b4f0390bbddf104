import type { Mutant } from './types.ts';

const dir = 'apps/hub-replicator/src/mirror';
const mirrored = 'apps/hub-replicator/src/secrets/mirrored.scripted.test.ts';
const schemas = 'e2e/hub-replicator/mirror-schemas.test.ts';
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
  {
    id: 'mirror-stops-at-an-unknown-field',
    file: `${dir}/apply-copy.ts`,
    find: 'less.leftOut.length === 0 || round === mostRounds',
    replace: 'true',
    test: schemas,
    name: 'has its liveness carried',
    why: 'a field that the hub does not know holds nothing else back',
  },
  {
    id: 'mirror-leaves-out-for-ever',
    file: `${dir}/apply-copy.ts`,
    find: 'leftOut.length === 0 ? undefined : later',
    replace: 'true ? undefined : later',
    test: schemas,
    name: 'has what is left out carried once the hub knows it',
    why: 'what was left out is carried when the hub knows it',
  },
  {
    id: 'mirror-leaves-out-in-silence',
    file: `${dir}/keep.ts`,
    find: "scene.tell({ about: upstream, type: 'Warning', reason: 'FieldsNotCarried', note });",
    replace: '',
    test: schemas,
    name: 'has its liveness carried',
    why: 'nothing is dropped without a word',
  },
  {
    id: 'client-takes-a-schema-for-an-outage',
    file: 'packages/k8s/src/client/status-error.ts',
    find: "return applyFlaws(said?.message ?? '').length > 0 ? 'invalid' : 'unavailable';",
    replace: "return 'unavailable';",
    test: 'packages/k8s/src/client/status-error.test.ts',
    name: 'is no outage',
    why: 'an apply that its schema refuses is not tried again and again',
  },
  {
    id: 'client-tells-what-is-in-a-secret-of-an-apply',
    file: 'packages/k8s/src/client/status-error.ts',
    find: 'return isQuiet ? told : [',
    replace: 'return [',
    test: 'packages/k8s/src/client/status-error.test.ts',
    name: 'is no outage',
    why: 'what is in a Secret is never quoted',
  },
];
