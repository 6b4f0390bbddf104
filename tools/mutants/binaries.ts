import type { Mutant } from './types.ts';

const shelf = { file: 'tools/binaries/shelf.ts', test: 'tools/binaries/shelf.test.ts' };
const ensure = { file: 'tools/binaries/ensure.ts', test: 'tools/binaries/ensure.test.ts' };

/** The real programs that tests run beside ours. */
export const mutants: Mutant[] = [
  {
    file: 'tools/binaries/package-makers.ts',
    test: 'tools/binaries/package-makers.test.ts',
    id: 'binaries-any-program',
    find: 'if (found !== sha256)',
    replace: 'if (found.length !== sha256.length)',
    name: 'takes no other bytes than those it knows',
    why: 'no program is run that we do not know',
  },
  {
    file: 'tools/binaries/go-makers.ts',
    test: 'tools/binaries/go-makers.test.ts',
    id: 'binaries-old-go',
    find: 'compareVersions(version, leastGo) >= 0',
    replace: "version !== ''",
    name: 'says what to install when it is too old',
    why: 'a Go that is too old is one line, not the end of a build',
  },
  {
    ...ensure,
    id: 'binaries-made-again',
    find: 'if (!shelf.has(binary)) {',
    replace: 'if (binary.name) {',
    name: 'makes nothing that is there',
    why: 'a second run starts no go, no pip and no npm',
  },
  {
    ...ensure,
    id: 'binaries-one-fails-all',
    find: 'faults.push({ name, reason: (error as Error).message });',
    replace: 'return { cannot: (error as Error).message };',
    name: 'makes all that it can',
    why: 'what can be made is made, whatever else cannot',
  },
  {
    ...shelf,
    id: 'binaries-half-made',
    find: 'await make({ path: join(made, binary.name), work });\n    try {',
    replace: 'try {\n      await make({ path: join(made, binary.name), work }).catch(() => undefined);',
    name: 'has nothing of what failed half-way',
    why: 'what stands under its name is whole',
  },
  {
    ...shelf,
    id: 'binaries-other-recipe',
    find: 'JSON.stringify([process.platform, process.arch, binary])',
    replace: 'JSON.stringify([process.platform, process.arch, binary.version])',
    test: 'tools/binaries/recipes.test.ts',
    name: 'other dependencies is another key',
    why: 'what was made from another recipe is made again',
  },
];
