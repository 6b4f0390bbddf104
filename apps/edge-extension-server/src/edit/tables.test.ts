/** What is looked up by bytes, held against what Maps of texts say. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeText, type Slice } from '../wire/text.ts';
import { regionBackend, rulePlace } from './cluster-name.ts';
import { clusterStates, type ClusterState } from './cluster-names.ts';
import { hashBytes } from './hash-bytes.ts';
import { NameMap } from './name-map.ts';
import { ObjectNames } from './object-names.ts';
import { SliceTable } from './slice-table.ts';

/** A text somewhere within other bytes. */
const sliceOf = (text: string, before = 'xyz'): Slice => {
  const bytes = encodeText(`${before}${text}${before}`);
  return { bytes, from: before.length, to: bytes.length - before.length };
};

/** Texts that all stand in the same bytes. */
function slicesOf(texts: readonly string[]): readonly Slice[] {
  const bytes = encodeText(`xyz${texts.join('-')}`);
  let from = 2;
  return texts.map((text) => ({ bytes, from: ++from, to: (from += encodeText(text).length) }));
}

const states = Object.values(clusterStates);

describe('hashBytes', () => {
  it('depends on every byte, and on nothing around them', () => {
    const text = 'httproute/ns-1/web/rule/0';
    const hash = hashBytes(sliceOf(text));
    expect(hashBytes(sliceOf(text, 'another'))).toBe(hash);
    for (let i = 0; i < text.length; i++) {
      expect(hashBytes(sliceOf(`${text.slice(0, i)}!${text.slice(i + 1)}`))).not.toBe(hash);
    }
    expect(hashBytes(sliceOf(text), 1)).not.toBe(hash);
  });

  it('fills the low bits, where tables look', () => {
    const buckets = new Set(
      Array.from({ length: 512 }, (_, i) => hashBytes(sliceOf(`httproute/ns/edge-${i}/rule/0`)) & 1023),
    );
    expect(buckets.size).toBeGreaterThan(300);
  });
});

describe('NameMap', () => {
  it('says what a Map would say', () => {
    const nameArb = fc.oneof(
      fc.constantFrom('a', 'b', ''),
      fc.string({ maxLength: 12 }),
      fc.nat(400).map((i) => `rule/${i}`),
    );
    const stepArb = fc.record({ name: nameArb, state: fc.constantFrom(...states) });
    fc.assert(
      fc.property(fc.array(stepArb, { maxLength: 300, size: 'max' }), fc.array(nameArb), (steps, asked) => {
        const names = new NameMap<ClusterState>();
        names.set(sliceOf('of another answer'), clusterStates.online);
        names.clear();
        const model = new Map<string, ClusterState>();
        const slices = slicesOf(steps.map(({ name }) => name));
        for (const [i, { name, state }] of steps.entries()) {
          names.set(slices[i] as Slice, state);
          model.set(name, state);
        }
        for (const name of [...model.keys(), ...asked, 'of another answer']) {
          expect(names.get(sliceOf(name))).toBe(model.get(name));
        }
      }),
      { seed: 1, numRuns: 60 },
    );
  });
});

describe('SliceTable', () => {
  it('tells slices of one hash apart', () => {
    const table = new SliceTable({
      hash: () => 7,
      isEqual: (one, other) => one.to - one.from === other.to - other.from,
    });
    const slices = slicesOf(Array.from({ length: 200 }, (_, i) => 'x'.repeat(i)));
    const numbers = slices.map((slice) => table.add(slice));
    expect(numbers).toEqual(Array.from({ length: 200 }, (_, i) => i));
    expect(slices.map((slice) => table.find(slice))).toEqual(numbers);
    table.clear();
    expect(slices.map((slice) => table.find(slice))).toEqual(numbers.map(() => -1));
    expect(slices.map((slice) => table.add(slice))).toEqual(numbers);
    expect(table.find(sliceOf('y'.repeat(150)))).toBe(150);
    expect(table.find(sliceOf('y'.repeat(201)))).toBe(-1);
    expect(table.add(slices[3] as Slice)).toBe(3);
    expect(table.size).toBe(200);
  });
});

describe('ObjectNames', () => {
  it('equal bytes are one object, others are others', () => {
    const names = new ObjectNames();
    const pairs = Array.from({ length: 500 }, (_, i) => [`ns-${i % 7}`, `web-${i}`] as const);
    const objects = pairs.map(([namespace, name]) => names.of(sliceOf(namespace), sliceOf(name)));
    for (const [i, [namespace, name]] of pairs.entries()) {
      expect(names.of(sliceOf(namespace, '.'), sliceOf(name, '-'))).toBe(objects[i]);
      expect(objects[i]).toMatchObject({ key: `${namespace}/${name}`, namespace, name });
    }
  });

  it('where the namespace ends and the name begins counts', () => {
    const names = new ObjectNames();
    expect(names.of(sliceOf('ab'), sliceOf('c')).key).toBe('ab/c');
    expect(names.of(sliceOf('a'), sliceOf('bc')).key).toBe('a/bc');
  });

  it('names that are no ASCII are read each time, and mixed up with none', () => {
    const names = new ObjectNames();
    expect(names.of(sliceOf('nś'), sliceOf('wéb')).key).toBe('nś/wéb');
    const broken: Slice = { bytes: Uint8Array.from([0xff, 0x77]), from: 0, to: 2 };
    expect(names.of(sliceOf('ns'), broken).key).toBe('ns/\uFFFDw');
    expect(names.of(sliceOf('ns'), sliceOf('w')).key).toBe('ns/w');
  });

  it('does not grow for ever, and stays right when it is emptied', () => {
    const names = new ObjectNames();
    const first = names.of(sliceOf('ns'), sliceOf('0'));
    for (let i = 1; i <= 100_000; i++) names.of(sliceOf('ns', ''), sliceOf(String(i), ''));
    expect(names.of(sliceOf('ns'), sliceOf('0'))).toEqual(first);
    expect(names.of(sliceOf('ns'), sliceOf('0'))).not.toBe(first);
  });
});

describe('names of clusters', () => {
  const place = (name: string) => rulePlace(sliceOf(name), sliceOf('ns'), sliceOf('web'));

  it.each([
    ['httproute/ns/web/rule/0', { rule: 0, backend: undefined }],
    ['httproute/ns/web/rule/15', { rule: 15, backend: undefined }],
    ['httproute/ns/web/rule/3/backend/12', { rule: 3, backend: 12 }],
    ['httproute/ns/web/rule/999999', { rule: 999_999, backend: undefined }],
  ])('%s', (name, want) => {
    expect(place(name)).toEqual(want);
  });

  it.each([
    '',
    'httproute/ns/web/rule/',
    'httproute/ns/web/rule/1000000',
    'httproute/ns/web/rule/01',
    'httproute/ns/web/rule/-1',
    'httproute/ns/web/rule/1x',
    'httproute/ns/web/rule/0-mirror-0',
    'httproute/ns/web/rule/0/backend',
    'httproute/ns/web/rule/0/backend/',
    'httproute/ns/web/rule/0/backend/0/x',
    'httproute/ns/webb/rule/0',
    'httproute/ns/we/rule/0',
    'httproute/nss/web/rule/0',
    'grpcroute/ns/web/rule/0',
    'Httproute/ns/web/rule/0',
  ])('%s is none', (name) => {
    expect(place(name)).toBeUndefined();
  });

  it('a region names a backend of its own cluster only', () => {
    const cluster = sliceOf('httproute/ns/web/rule/0');
    expect(regionBackend(sliceOf('httproute/ns/web/rule/0/backend/7'), cluster)).toBe(7);
    for (const region of [
      '',
      'eu-west-1',
      'httproute/ns/web/rule/0',
      'httproute/ns/web/rule/1/backend/7',
      'httproute/ns/web/rule/0/backend/7a',
    ]) {
      expect(regionBackend(sliceOf(region), cluster)).toBeUndefined();
    }
  });
});
