import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLabelValue } from '../meta/syntax.ts';
import { decodeLabel, encodeLabel, looksShort } from './short-label.ts';

const hash = expect.stringMatching(/^.+-[0-9a-f]{10}$/) as string;

describe('encodeLabel', () => {
  it.each([
    { name: 'an ordinary name', text: 'web', label: 'web' },
    { name: '63 characters', text: 'x'.repeat(63), label: 'x'.repeat(63) },
    { name: 'the empty text', text: '', label: '' },
    { name: 'a group', text: 'gateway.networking.k8s.io', label: 'gateway.networking.k8s.io' },
    { name: '11 hex digits at the end', text: 'web-0123456789a', label: 'web-0123456789a' },
    { name: '9 hex digits at the end', text: 'web-012345678', label: 'web-012345678' },
    { name: 'upper-case hex at the end', text: 'web-ABCDEF0123', label: 'web-ABCDEF0123' },
    {
      name: '10 hex digits behind 41 characters',
      text: `${'x'.repeat(41)}-0123456789`,
      label: `${'x'.repeat(41)}-0123456789`,
    },
  ])('$name is written as it is', ({ text, label }) => {
    expect(encodeLabel(text)).toEqual({ label });
  });

  it.each([
    { name: '64 characters', text: 'x'.repeat(64), head: 'x'.repeat(40) },
    { name: '253 characters', text: `${'ab.'.repeat(84)}a`, head: `${'ab.'.repeat(13)}a` },
    { name: 'a cut that would end in a dot', text: `${'x'.repeat(39)}.${'y'.repeat(40)}`, head: 'x'.repeat(39) },
    {
      name: 'a cut that would end in dashes',
      text: `${'x'.repeat(30)}${'-'.repeat(20)}${'y'.repeat(20)}`,
      head: 'x'.repeat(30),
    },
    { name: 'what looks like a short form', text: 'web-0123456789', head: 'web-0123456789' },
    { name: 'a name with a colon', text: 'system:controller', head: 'system-controller' },
    { name: 'a name that begins with a dot', text: '..web', head: 'web' },
    { name: 'nothing that a label can hold', text: '漢字'.repeat(30), head: 'x' },
  ])('$name is shortened, with the exact text beside it', ({ text, head }) => {
    const { label, annotation } = encodeLabel(text);
    expect(label).toEqual(hash);
    expect(label.slice(0, -11)).toBe(head);
    expect(annotation).toBe(text);
    expect(isLabelValue(label)).toBe(true);
  });

  it('two names of 80 characters that are equal in the first 60 differ', () => {
    const start = 'p'.repeat(60);
    expect(encodeLabel(start + 'a'.repeat(20)).label).not.toBe(encodeLabel(start + 'b'.repeat(20)).label);
  });

  it('a pinned value: what was written must be found again by later versions', () => {
    expect(encodeLabel('p'.repeat(70)).label).toBe(`${'p'.repeat(40)}-d79ad4b575`);
  });
});

describe('decodeLabel', () => {
  const long = 'x'.repeat(80);
  const { label: short } = encodeLabel(long);
  it.each([
    { name: 'plain', label: 'web', annotation: undefined, want: 'web' },
    { name: 'short with its annotation', label: short, annotation: long, want: long },
    { name: 'short without its annotation', label: short, annotation: undefined, want: undefined },
    { name: 'short with another annotation', label: short, annotation: `${long}y`, want: undefined },
    { name: 'plain with an annotation that names another', label: 'web', annotation: 'other', want: undefined },
    { name: 'plain with an annotation that says the same', label: 'web', annotation: 'web', want: 'web' },
    { name: 'no label', label: undefined, annotation: 'web', want: undefined },
  ])('$name → $want', ({ label, annotation, want }) => {
    expect(decodeLabel(label, annotation)).toBe(want);
  });
});

describe('labels of any text', () => {
  const part = fc.constantFrom('a', 'B', '7', '-', '.', '_', '/', ':', 'é', '🙂', '-0123456789', 'deadbeef00');
  const long = fc.array(part, { minLength: 30, maxLength: 80, size: 'max' }).map((parts) => parts.join(''));
  const text = fc.oneof(
    fc.array(part, { maxLength: 253, size: 'max' }).map((parts) => parts.join('').slice(0, 253)),
    fc.string({ maxLength: 100 }),
    // What others' short forms look like.
    long.map((name) => encodeLabel(name).label),
  );

  it('are valid, decodable, and short exactly when an annotation goes with them', () => {
    fc.assert(
      fc.property(text, (exact) => {
        const { label, annotation } = encodeLabel(exact);
        expect(isLabelValue(label)).toBe(true);
        expect(looksShort(label)).toBe(annotation !== undefined);
        expect(decodeLabel(label, annotation)).toBe(exact);
      }),
      { seed: 11, numRuns: 2000 },
    );
  });

  it('are the same at each time they are asked for, however many there were', () => {
    const of = (i: number): string => (i % 3 === 0 ? `a name, ${i}` : `${'n'.repeat(i % 300)}-${i}`);
    const first = Array.from({ length: 60_000 }, (_, i) => encodeLabel(of(i)));
    for (let i = 0; i < first.length; i += 7) expect(encodeLabel(of(i))).toEqual(first[i]);
  });

  it('are injective', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        if (a !== b) expect(encodeLabel(a).label).not.toBe(encodeLabel(b).label);
      }),
      { seed: 11, numRuns: 2000 },
    );
  });

  it('are injective between a name and what its own label looks like', () => {
    fc.assert(
      fc.property(text, (exact) => {
        const { label } = encodeLabel(exact);
        if (label !== exact) expect(encodeLabel(label).label).not.toBe(label);
      }),
      { seed: 11, numRuns: 2000 },
    );
  });
});
