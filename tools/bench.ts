import { glob } from 'node:fs/promises';
import { called } from './command.ts';
import { run, type RunOptions } from './process.ts';
import { root } from './root.ts';
import { type Summary, summaryLine } from './summary.ts';

const usage = `npm run bench [-- PATH…]

Runs every bench (packages/*/bench/*.bench.ts, apps/*/bench/*.bench.ts, e2e/bench/*.bench.ts) as a process of its own, one after the
other, so that none warms up or disturbs another, and prints the Markdown that each writes. With paths: only the files whose path contains one.`;

const folders = ['packages/*/bench/*.bench.ts', 'apps/*/bench/*.bench.ts', 'e2e/bench/*.bench.ts'];

/** Runs the benches of the folder whose path contains a word (no word: all), and says how many ended well. */
export async function runBenches(
  words: readonly string[],
  { cwd = root, show = true }: RunOptions = {},
): Promise<Summary> {
  const found = await Array.fromAsync(glob(folders, { cwd }));
  const files = found.filter((file) => words.length === 0 || words.some((word) => file.includes(word))).sort();
  let failed = 0;
  for (const file of files) {
    console.log(`\n## ${file}\n`);
    const { code } = await run(process.execPath, ['--conditions=@lifeline/source', '--expose-gc', file], { cwd, show });
    if (code === 0) continue;
    failed++;
    console.log(`\n${file} failed (exit code ${code}).`);
  }
  return { passed: files.length - failed, failed, skipped: 0 };
}

if (import.meta.main) {
  const summary = await runBenches(called(usage).words);
  if (summary.passed + summary.failed === 0) console.log('There is no such bench: nothing was measured.');
  console.log(`\n${summaryLine(summary)}`);
  process.exitCode = summary.passed > 0 && summary.failed === 0 ? 0 : 1;
}
