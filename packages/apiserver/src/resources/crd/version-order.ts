/** Which version of a resource is preferred: `v2` before `v1` before `v1beta2` before `v1alpha1`, and whatever else last. */

const pattern = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/;
const stages: readonly (string | undefined)[] = ['alpha', 'beta', undefined];

/** For sorting, preferred first. @see kubernetes/apimachinery@v0.36.3 pkg/version/helpers.go CompareKubeAwareVersionStrings */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [pattern.exec(a), pattern.exec(b)];
  if (!left || !right) return left ? -1 : right ? 1 : a < b ? -1 : a > b ? 1 : 0;
  return (
    stages.indexOf(right[2]) - stages.indexOf(left[2]) ||
    Number(right[1]) - Number(left[1]) ||
    Number(right[3] ?? 0) - Number(left[3] ?? 0)
  );
}
