/** Keys of JSON objects are foreign data. These two never touch a prototype, whatever the key. */

/** The object's own member, or undefined: `ownValue({}, 'constructor')` is undefined. */
export const ownValue = <T>(object: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

/** Sets an own member. `__proto__` becomes a member like any other instead of changing the prototype. */
export function setOwn<T>(object: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}
