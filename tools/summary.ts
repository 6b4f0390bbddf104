/** The counts that every command of ours ends with. */
export interface Summary {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** `N passed, N failed`, and `, N skipped` when some were. The last line a command prints. */
export function summaryLine({ passed, failed, skipped }: Summary): string {
  const line = `${passed} passed, ${failed} failed`;
  return skipped > 0 ? `${line}, ${skipped} skipped` : line;
}

/** Reads the last summary line of an output; undefined when it has none. */
export function parseSummary(output: string): Summary | undefined {
  const line = [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\r?$/gm)].at(-1);
  return line && { passed: Number(line[1]), failed: Number(line[2]), skipped: Number(line[3] ?? 0) };
}
