import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Turnstile } from './turnstile.ts';

describe('the turnstile', () => {
  it('lets in so many, and the next when one leaves, in order', () => {
    const turnstile = new Turnstile(2);
    const inside: string[] = [];
    const places = ['a', 'b', 'c', 'd'].map((name) => turnstile.queue(() => inside.push(name)));
    expect(inside).toEqual(['a', 'b']);
    expect(turnstile.waiting).toBe(2);
    places[1]?.[Symbol.dispose]();
    expect(inside).toEqual(['a', 'b', 'c']);
    places[1]?.[Symbol.dispose]();
    expect(inside).toEqual(['a', 'b', 'c']);
    places[0]?.[Symbol.dispose]();
    expect(inside).toEqual(['a', 'b', 'c', 'd']);
  });

  it('whoever leaves the line is not let in', () => {
    const turnstile = new Turnstile(1);
    const inside: string[] = [];
    const [a, b] = ['a', 'b', 'c'].map((name) => turnstile.queue(() => inside.push(name)));
    b?.[Symbol.dispose]();
    a?.[Symbol.dispose]();
    expect(inside).toEqual(['a', 'c']);
  });

  it('never holds more than its limit, leaves no place empty, and forgets nobody', () => {
    const steps = fc.array(fc.oneof(fc.constant('queue' as const), fc.nat(20)), { maxLength: 80, size: 'max' });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), steps, (limit, script) => {
        const turnstile = new Turnstile(limit);
        const people: { state: 'line' | 'inside' | 'left'; place?: Disposable }[] = [];
        const count = (state: string): number => people.filter((person) => person.state === state).length;
        for (const step of script) {
          if (step === 'queue') {
            const person: (typeof people)[number] = { state: 'line' };
            people.push(person);
            person.place = turnstile.queue(() => {
              expect(person.state).toBe('line');
              person.state = 'inside';
            });
          } else {
            const person = people[step];
            if (!person) continue;
            person.state = 'left';
            person.place?.[Symbol.dispose]();
          }
          expect(count('inside')).toBeLessThanOrEqual(limit);
          expect(turnstile.waiting).toBe(count('line'));
          if (count('line') > 0) expect(count('inside')).toBe(limit);
        }
      }),
      { seed: 6, numRuns: 100 },
    );
  });
});
