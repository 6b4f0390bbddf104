import { glob } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { called } from './command.ts';
import { judgeAll } from './mutation/crew.ts';
import type { Mutant, Verdict } from './mutants/types.ts';
import { root } from './root.ts';
import { summaryLine } from './summary.ts';

const usage = `npm run mutants [-- --list] [WORD…]

Plants each bug of tools/mutants/*.ts in turn, never on disk, and sees its test fail. A mutant passes when its test passes without it
and fails with it; one that survives, or proves nothing, fails the command. With words: only the mutants whose area (file) is one of
them, or whose id contains one. --list names them and runs none.`;

/** Every entry, with the area (file name) that it stands in. */
async function collect(): Promise<(Mutant & { area: string })[]> {
  const entries: (Mutant & { area: string })[] = [];
  const files = await Array.fromAsync(glob('tools/mutants/*.ts', { cwd: root }));
  for (const file of files.filter((name) => basename(name) !== 'types.ts').sort()) {
    const { mutants } = (await import(join(root, file))) as { mutants: readonly Mutant[] };
    for (const mutant of mutants) entries.push({ ...mutant, area: basename(file, '.ts') });
  }
  const twice = entries.find(({ id }, index) => entries.findIndex((other) => other.id === id) !== index);
  if (twice) throw new Error(`two mutants are named ${twice.id}`);
  return entries;
}

function describeVerdict({ id, why }: Mutant, verdict: Verdict): string {
  switch (verdict.at) {
    case 'killed':
      return `killed    ${id}: ${verdict.by}`;
    case 'survived':
      return `failed: ${id} survived: ${why}`;
    case 'invalid':
      return `failed: ${id} is invalid: ${verdict.reason}`;
  }
}

const { values, words } = called(usage, { list: { type: 'boolean' } });
const all = await collect();
const chosen = all.filter(
  ({ area, id }) => words.length === 0 || words.some((word) => area === word || id.includes(word)),
);
if (values.list) for (const { area, id, why } of chosen) console.log(`${area}  ${id}: ${why}`);
else {
  const verdicts = await judgeAll(chosen, {
    judged: (mutant, verdict) => console.log(describeVerdict(mutant, verdict)),
  });
  const passed = [...verdicts.values()].filter(({ at }) => at === 'killed').length;
  if (chosen.length === 0) console.log(`No mutant is named by ${words.join(' ') || 'tools/mutants/*.ts'}.`);
  console.log(summaryLine({ passed, failed: chosen.length - passed, skipped: 0 }));
  process.exitCode = passed > 0 && passed === chosen.length ? 0 : 1;
}
