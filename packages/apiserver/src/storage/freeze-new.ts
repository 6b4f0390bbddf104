/**
 * Freezes the containers of a JSON tree that are not frozen yet, and returns it.
 *
 * Assumptions: what is frozen is frozen all the way down. It holds for everything that comes out of a store, so a write that changes one
 * field of a large object pays for what is new in it only.
 */
export function freezeNew<T>(value: T): T {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const child of Object.values(next)) {
      if (typeof child === 'object' && child !== null) pending.push(child);
    }
  }
  return value;
}
