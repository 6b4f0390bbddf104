import type { Mutant } from './types.ts';

const dir = 'apps/hub-replicator/src/mirror';
const places = 'e2e/hub-replicator/mirror-places.test.ts';

export const mutants: Mutant[] = [
  {
    id: 'mirror-leaves-a-wrong-namespace-label',
    file: `${dir}/namespace.ts`,
    find: '(uid === undefined ? !mayBeOfNamespace(found, upstream.name) : uid !== upstream.uid) ||',
    replace: '!mayBeOfNamespace(found, upstream.name) ||\n    (uid !== undefined && uid !== upstream.uid) ||',
    test: places,
    name: 'is put right by its uid',
    why: 'the uid says whose a mapped Namespace is: a wrong name on it is drift',
  },
  {
    id: 'mirror-takes-a-namespace-of-another-uid',
    file: `${dir}/namespace.ts`,
    find: ': uid !== upstream.uid) ||',
    replace: ': false) ||',
    test: `${dir}/namespace.test.ts`,
    name: 'of another uid',
    why: 'a Namespace that names another uid is never used',
  },
  {
    id: 'mirror-leaves-an-exact-name',
    file: `${dir}/namespace.ts`,
    find: 'const exact = isWrong ?',
    replace: 'const exact = false ?',
    test: `${dir}/namespace.test.ts`,
    name: 'an exact name that somebody added is made right',
    why: 'a wrong exact name on a mapped Namespace does not stay',
  },
  {
    id: 'mirror-repeats-that-a-place-is-taken',
    file: `${dir}/taken-places.ts`,
    find: 'if (known) return;',
    replace: '',
    test: places,
    name: 'said once, counted',
    why: 'an operator hears of a taken place once, not of each object in it',
  },
  {
    id: 'mirror-does-not-tell-operators',
    file: `${dir}/mirror-one.ts`,
    find: 'memory.places.found(seeker, reason && place && { ...place, reason });',
    replace: '',
    test: places,
    name: 'said once, counted',
    why: 'what only an operator can put right is shown to operators',
  },
  {
    id: 'mirror-ends-what-an-anchor-says-is-anothers',
    file: `${dir}/gather.ts`,
    find: 'return anchor?.metadata.uid !== uid || claims(anchor, target);',
    replace: 'return true;',
    test: places,
    name: 'go nowhere with the other',
    why: "a copy whose anchor says that it is another object's was edited: it is nobody's to delete",
  },
  {
    id: 'mirror-is-not-woken-by-its-namespace',
    file: `${dir}/watches.ts`,
    find: "event.type === 'deleted' || (event.type",
    replace: '(event.type',
    test: places,
    name: 'is there again as soon as it is let go of',
    why: 'a mapped Namespace that is gone is made anew at once',
  },
  {
    id: 'mirror-forgets-who-was-refused',
    file: `${dir}/watches.ts`,
    find: 'return places.seekersOf(mapped.metadata.name, rules.policy.kind.id);',
    replace: 'return [];',
    test: places,
    name: 'taken back when it is freed',
    why: 'whoever was refused a place looks again when it is freed, whatever its marks say then',
  },
];
