/** Code for the mutants of `mutation/crew.test.ts` to break. */
export function clamp(value: number, low: number, high: number): number {
  if (value < low) return low;
  if (value > high) return high;
  return value;
}
