/**
 * Freezes a JSON tree in place, every container in it, and returns it. A write to it then throws (modules are strict).
 *
 * Assumptions: the value is a tree or shares branches, but has no cycles.
 */
export function deepFreeze<T>(value: T): T {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null) continue;
    Object.freeze(next);
    for (const child of Object.values(next)) {
      if (typeof child === 'object' && child !== null) pending.push(child);
    }
  }
  return value;
}
