/** Delta debugging: the fewest steps with which a schedule still fails in the same way. */

export interface Shrunk<T> {
  readonly steps: readonly T[];
  /** Tries that it took. */
  readonly runs: number;
}

/**
 * Guarantee: the result fails, and so does no result with one step less, unless `limit` tries were not enough to find out.
 *
 * @param steps known to fail
 * @param fails whether a selection of them, in order, fails in the same way
 * @see https://doi.org/10.1109/32.988498 (ddmin)
 */
export async function shrink<T>(
  steps: readonly T[],
  fails: (steps: readonly T[]) => Promise<boolean>,
  limit = 300,
): Promise<Shrunk<T>> {
  let current = steps;
  let runs = 0;
  const test = async (candidate: readonly T[]): Promise<boolean> => {
    if (runs >= limit) return false;
    runs++;
    return fails(candidate);
  };
  if (await test([])) return { steps: [], runs };
  for (let parts = 2; current.length > 1 && runs < limit;) {
    const size = Math.ceil(current.length / parts);
    const kept = await firstFailing(complements(current, size), test);
    if (kept) {
      current = kept;
      parts = Math.max(2, parts - 1);
    } else if (size === 1) break;
    else parts = Math.min(current.length, parts * 2);
  }
  return { steps: current, runs };
}

/** What is left without each part in turn; the later parts first: what came after the failure goes at once. */
function* complements<T>(steps: readonly T[], size: number): Generator<readonly T[], void> {
  const starts = Array.from({ length: Math.ceil(steps.length / size) }, (_, index) => index * size);
  for (const start of starts.reverse()) yield [...steps.slice(0, start), ...steps.slice(start + size)];
}

async function firstFailing<T>(
  candidates: Iterable<readonly T[]>,
  test: (steps: readonly T[]) => Promise<boolean>,
): Promise<readonly T[] | undefined> {
  for (const candidate of candidates) if (await test(candidate)) return candidate;
  return undefined;
}
