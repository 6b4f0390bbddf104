import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from '../mutants/types.ts';
import { root } from '../root.ts';

/** A test file and the mutants that it must notice. */
export interface Job {
  readonly test: string;
  readonly mutants: readonly Mutant[];
}

/** A test's name as `vitest -t` matches it. */
export const plainName = (name: string): string => name.replaceAll(' > ', ' ');

/** Why an entry cannot be applied; undefined when it can. */
export function faultOf({ file, find, replace, test }: Mutant): string | undefined {
  if (!existsSync(join(root, file))) return `${file} is not there`;
  if (!existsSync(join(root, test))) return `${test} is not there`;
  if (find === replace) return 'the replacement is the text it replaces';
  const count = find === '' ? 0 : readFileSync(join(root, file), 'utf8').split(find).length - 1;
  return count === 1 ? undefined : `its text occurs ${count} times in ${file}, not once`;
}

/** Groups mutants by their test file, the largest group first. */
export function jobsOf(mutants: readonly Mutant[]): Job[] {
  return [...Map.groupBy(mutants, ({ test }) => test)]
    .map(([test, group]) => ({ test, mutants: group }))
    .toSorted((a, b) => b.mutants.length - a.mutants.length);
}
