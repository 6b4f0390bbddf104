/** Regions for `doctest.test.ts` to cut out. */
export function regions(): number {
  let total = 0;
  // #region outer
  total += 1;
  if (total > 0) {
    // #region inner
    total += 2;
    // #endregion
  }
  // #endregion outer
  return total;
}
