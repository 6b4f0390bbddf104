import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chartFiles, staleChartFiles } from './chart-gen/chart-files.ts';
import { called } from './command.ts';
import { root } from './root.ts';

const usage = `node --conditions=@lifeline/source tools/chart-gen.ts [--check]

Writes of each chart values.yaml and values.schema.json, from the settings of its app and the values of tools/chart-gen, files/rights.yaml,
from what the app declares, and the templates that all charts share. With --check it writes nothing, and exits with 1 when a file differs.`;

const { values } = called(usage, { check: { type: 'boolean' } });
const wanted = chartFiles();

if (values.check) {
  const stale = staleChartFiles(wanted, root);
  for (const line of stale) console.error(line);
  if (stale.length > 0) console.error('Run: node --conditions=@lifeline/source tools/chart-gen.ts');
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const [path, text] of wanted) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  console.log(`${wanted.size} files in charts`);
}
