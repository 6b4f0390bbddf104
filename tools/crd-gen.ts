import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { called } from './command.ts';
import { crdFiles, crdFolder, generatedFiles, staleFiles } from './crd-gen/crd-files.ts';
import { root } from './root.ts';

const usage = `node --conditions=@lifeline/source tools/crd-gen.ts [--check]

Writes charts/crds/*.yaml from the kinds of packages/core: ours as full definitions, those of Gateway API, Envoy Gateway and Karmada
(third-party/) as partial ones for test planes. With --check it writes nothing, and exits with 1 when a file differs.`;

const { values } = called(usage, { check: { type: 'boolean' } });
const folder = join(root, crdFolder);
const wanted = crdFiles();

if (values.check) {
  const stale = staleFiles(wanted, root);
  for (const line of stale) console.error(`${crdFolder}/${line}`);
  if (stale.length > 0) console.error('Run: node --conditions=@lifeline/source tools/crd-gen.ts');
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const path of generatedFiles(root)) if (!wanted.has(path)) rmSync(join(folder, path));
  for (const [path, text] of wanted) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  console.log(`${wanted.size} files in ${crdFolder}`);
}
