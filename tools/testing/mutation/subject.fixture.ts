import { describe, expect, it } from 'vitest';
import { clamp } from './subject.ts';

describe('clamp', () => {
  it('keeps the low bound', () => {
    expect(clamp(0, 1, 3)).toBe(1);
  });

  it('leaves what is between', () => {
    expect(clamp(2, 1, 3)).toBe(2);
  });
});
