import { Session, type Result } from './session.ts';
import type { Target } from './target.ts';
import type { TestCase } from './test-case.ts';

export interface RunOptions {
  readonly cases: readonly TestCase[];
  /** Cases at the same time. Default 1. */
  readonly parallel?: number | undefined;
  /** Told of each result as it comes. */
  readonly report?: ((result: Result) => void) | undefined;
}

/** Results in the order of the cases. Never rejects because of what a server does, unless its custom resources cannot be installed. */
export async function runConformance(
  target: Target,
  { cases, parallel = 1, report }: RunOptions,
): Promise<readonly Result[]> {
  await using session = new Session(target);
  const results: Result[] = [];
  const pending = cases.entries();
  const worker = async (): Promise<void> => {
    for (const [index, testCase] of pending) {
      const result = await session.run(testCase);
      results[index] = result;
      report?.(result);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return results;
}

export const summary = (results: readonly Result[]): string => {
  const count = (outcome: Result['outcome']): number => results.filter((result) => result.outcome === outcome).length;
  return `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`;
};

/** One result for people. */
export function reportLine(result: Result): string {
  switch (result.outcome) {
    case 'passed':
      return `ok      ${result.name} (${result.checks} checks)`;
    case 'skipped':
      return `skipped ${result.name} (needs ${result.missing.join(', ')})`;
    case 'failed':
      return [`FAILED  ${result.name}`, ...result.failures.map((failure) => `          ${failure}`)].join('\n');
  }
}
