import { describe, expect, it } from 'vitest';
import { describeError, PlatformError, TerminalError } from './errors.ts';

describe('PlatformError', () => {
  it('puts its code first and is named after its class', () => {
    const error = new TerminalError('no', { cause: 'x' });
    expect([error.message, error.name, error.code, error.cause]).toEqual([
      'terminal: no',
      'TerminalError',
      'terminal',
      'x',
    ]);
    expect(error).toBeInstanceOf(PlatformError);
  });
});

describe('describeError', () => {
  it.each([
    { thrown: 'text', want: 'text' },
    { thrown: undefined, want: 'undefined' },
    { thrown: new Error('a'), want: 'a' },
    { thrown: new Error('a', { cause: new Error('b', { cause: 'c' }) }), want: 'a (b (c))' },
    { thrown: new Error('a: b', { cause: new Error('b') }), want: 'a: b' },
  ])('$want', ({ thrown, want }) => {
    expect(describeError(thrown)).toBe(want);
  });
});
