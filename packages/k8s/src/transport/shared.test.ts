import { expect, it } from 'vitest';
import { Shared } from './shared.ts';

it('creates once a key, and ends with the last of those who asked', () => {
  const shared = new Shared<AbortSignal>();
  const [a, b, other] = [new AbortController(), new AbortController(), new AbortController()];
  const get = (key: string, { signal }: AbortController): AbortSignal => shared.get(key, signal, (life) => life);
  const value = get('k', a);
  expect(get('k', b)).toBe(value);
  expect(get('other', other)).not.toBe(value);
  a.abort();
  expect(value.aborted).toBe(false);
  expect(get('k', other)).toBe(value);
  b.abort();
  expect(value.aborted).toBe(false);
  other.abort(new Error('over'));
  expect(value.aborted).toBe(true);
  expect(get('k', new AbortController())).not.toBe(value);
});
