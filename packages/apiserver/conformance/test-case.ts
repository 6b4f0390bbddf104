import type { Need } from './target.ts';
import type { Test } from './test.ts';

export interface TestCase {
  /** `theme: what holds`. Unique. */
  readonly name: string;
  readonly needs: readonly Need[];
  readonly run: (t: Test) => Promise<void>;
}

type Run = TestCase['run'];

export type Definition = Run | readonly [...needs: Need[], run: Run];

/** Cases of one theme: what holds → how it is seen, behind what it needs of the target. */
export const defineCases = (theme: string, definitions: Readonly<Record<string, Definition>>): readonly TestCase[] =>
  Object.entries(definitions).map(([what, definition]) => {
    const parts = typeof definition === 'function' ? [definition] : definition;
    return {
      name: `${theme}: ${what}`,
      needs: parts.slice(0, -1) as Need[],
      run: parts.at(-1) as Run,
    };
  });
