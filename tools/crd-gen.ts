/**
 * Writes `charts/crds/*.yaml` from the kinds of packages/core: ours as full definitions, those of Gateway API, Envoy Gateway and
 * Karmada (`third-party/`) as partial ones for test planes.
 *
 *     node --conditions=@lifeline/source tools/crd-gen.ts [--check]
 *
 * `--check` writes nothing, and exits 1 when a file differs.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crdFiles, crdFolder, generatedFiles, staleFiles } from './crd-gen/crd-files.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, crdFolder);
const wanted = crdFiles();

if (process.argv.includes('--check')) {
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
