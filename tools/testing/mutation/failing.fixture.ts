import { expect, it } from 'vitest';
import { clamp } from './subject.ts';

it('fails with or without a mutant', () => {
  expect(clamp(4, 1, 3)).toBe(4);
});
