import type { Mutant } from './types.ts';

const decide = 'apps/example-mirror/src/mirror/decide.ts';
const controller = 'apps/example-mirror/src/mirror/controller.ts';

export const mutants: Mutant[] = [
  {
    id: 'b15-unselected-keeps-finalizer',
    file: controller,
    find: 'isMirrored(source) || hasFinalizer(source, finalizer) ?',
    replace: 'isMirrored(source) ?',
    test: 'e2e/example/release.test.ts',
    why: 'an object that is not mirrored any more is released, whoever died on the way',
  },
  {
    id: 'b13-finalizer-released-before-the-copy-is-gone',
    file: controller,
    find: 'if (release.length > 0 && (await liveCopy()).length > 0) return { after: 5_000 };',
    replace: '',
    test: 'e2e/example/mirror.test.ts',
    name: 'keeps the finalizer while the copy is held',
    why: 'the finalizer leaves after a live read says that no copy is left',
  },
  {
    id: 'example-adopts-a-stranger',
    file: controller,
    find: 'if (found && !isCopyOf(found, request))',
    replace: 'if (found && false)',
    test: 'e2e/example/mirror.test.ts',
    name: 'leaves an object that is not ours alone',
    why: 'what we did not make is neither adopted nor overwritten',
  },
  {
    id: 'example-adopts-an-old-uid',
    file: decide,
    find: 'copies.find((copy) => sourceUidOf(copy) === source?.metadata.uid)',
    replace: 'copies[0]',
    test: 'e2e/example/mirror.test.ts',
    name: 'makes the copy of a recreated source anew',
    why: 'same copy means same upstream uid; another is deleted and made anew',
  },
  {
    id: 'example-ends-on-the-word-of-a-cache',
    file: controller,
    find: 'cachedSource && makesOrEnds(first, seen.copies) ?',
    replace: 'cachedSource && false ?',
    test: 'e2e/sim/regressions.sim.test.ts',
    why: 'no copy is made or ended on the word of a cache that may lag',
  },
  {
    id: 'example-writes-what-is-there',
    file: decide,
    find: '!isUpToDate(wanted, current)',
    replace: 'true',
    test: 'e2e/example/mirror.test.ts',
    name: 'writes nothing on a steady world',
    why: 'a steady world costs no write',
  },
];
