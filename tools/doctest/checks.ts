/** What the `// =>` lines of a document call, once `doctest.ts` has turned them into calls. */
import { expect } from 'vitest';

/** Fails unless the values are deeply equal. */
export function check(actual: unknown, expected: unknown, line: number): void {
  expect(actual, `line ${line}`).toEqual(expected);
}

/** Fails unless the act throws, or rejects with, an error whose message contains the text. */
export async function checkThrows(act: () => Promise<unknown>, text: string, line: number): Promise<void> {
  await expect(act(), `line ${line}`).rejects.toThrow(text);
}
