import { describe, expect, it } from 'vitest';
import { Trace } from './trace.ts';

describe('Trace', () => {
  const of = (...lines: readonly string[]): Trace => {
    const trace = new Trace();
    for (const line of lines) trace.note(1, line, undefined, 2);
    return trace;
  };

  it('is a line each, without what is not there', () => {
    expect(of('a', 'b').toString()).toBe('1 a 2\n1 b 2');
    expect(of('a', 'b', 'c').tail(2)).toBe('1 b 2\n1 c 2');
  });

  it('equal texts have equal hashes; the first difference is found', () => {
    expect(of('a', 'b').hash).toBe(of('a', 'b').hash);
    expect(of('a', 'b').hash).not.toBe(of('a', 'c').hash);
    expect(Trace.difference(of('a', 'b'), of('a', 'b'))).toBeUndefined();
    expect(Trace.difference(of('a', 'b'), of('a', 'c'))).toBe('line 2, after "1 a 2":\n  1 b 2\n  1 c 2');
    expect(Trace.difference(of('a'), of('a', 'c'))).toContain('(end)');
  });
});
