/**
 * A planted bug: one edit of one file that a named test must notice. `npm run mutants` applies each in turn, never on disk.
 *
 * Entries stand in `tools/mutants/<area>.ts` as `export const mutants: Mutant[]`, the most telling ones of each guard.
 */
export interface Mutant {
  /** Unique in kebab-case; begins with the area or the report it stands for (`json-minus-zero`, `c16-…`, `b03-…`). */
  readonly id: string;
  /** The file that is changed, from the root of the repository. */
  readonly file: string;
  /** Text that occurs exactly once in it, so that no refactoring disarms the entry unseen. */
  readonly find: string;
  /** What stands there instead. It must still load: a crash proves nothing about a guard. */
  readonly replace: string;
  /** The test file that must then fail, from the root of the repository. */
  readonly test: string;
  /** Part of the name of the test that must fail, `describe > it`. Absent: any test of the file. */
  readonly name?: string;
  /** The rule that the guard holds, in one line. */
  readonly why: string;
}

/** How a mutant fared. Only `killed` is a pass. */
export type Verdict =
  | { readonly at: 'killed'; readonly by: string }
  /** The test passes with the bug in: the guard counts as absent. */
  | { readonly at: 'survived' }
  /** The entry proves nothing: it does not apply, does not load, or its test fails without it. */
  | { readonly at: 'invalid'; readonly reason: string };
