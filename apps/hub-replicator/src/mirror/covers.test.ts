import { HTTPProxy, type JsonValue, JsonNumber, NetworkContext, labels } from '@lifeline/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { covers, fitOf, type WantedCopy } from './covers.ts';
import { anchorOf, copyOf, policyOf } from './mirror.fixture.ts';
import { anchorReference } from './anchor.ts';
import { ownedKeys } from './owned.ts';

describe('covers', () => {
  it.each<[part: JsonValue | undefined, whole: JsonValue | undefined, want: boolean]>([
    [undefined, { a: 1 }, true],
    [null, undefined, true],
    [{ a: null }, {}, true],
    [{ a: 1 }, { a: 1, b: 2 }, true],
    [{ a: 1, b: 2 }, { a: 1 }, false],
    [{ a: {} }, {}, false],
    [{}, [], false],
    [[1], [1, 2], false],
    [[{ a: 1 }], [{ a: 1, b: 2 }], true],
    [[2, 1], [1, 2], false],
    [1, new JsonNumber('1.0'), true],
    [new JsonNumber('9007199254740993'), new JsonNumber('9007199254740992'), false],
    ['1', 1, false],
    [JSON.parse('{"__proto__":1}') as JsonValue, {}, false],
    [{ toString: 1 }, {}, false],
  ])('%j in %j: %s', (part, whole, want) => {
    expect(covers(part, whole)).toBe(want);
  });

  it('every value covers itself, and two that cover each other are the same but for null and how numbers are written', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const [left, right] = [a as JsonValue, b as JsonValue];
        expect(covers(left, left)).toBe(true);
        if (covers(left, right) && covers(right, left)) expect(withoutNulls(left)).toEqual(withoutNulls(right));
      }),
      { seed: 5 },
    );
  });
});

const withoutNulls = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (_, inner: unknown) => (inner === null ? undefined : inner === 0 ? 0 : inner)) ??
      'null',
  );

describe('fitOf', () => {
  const owned = ownedKeys(policyOf(NetworkContext));
  const copy = { ...copyOf(), spec: { a: 1 } };
  const wanted: WantedCopy = {
    labels: copy.metadata.labels ?? {},
    annotations: copy.metadata.annotations ?? {},
    body: { spec: { a: 1 } },
    owner: anchorReference(anchorOf()),
  };
  const changed = (metadata: object, body: object = {}): ReturnType<typeof fitOf> =>
    fitOf(wanted, { ...copy, ...body, metadata: { ...copy.metadata, ...metadata } }, owned);

  it.each([
    { name: 'nothing', metadata: {}, want: 'fits' },
    { name: 'a label of theirs', metadata: { labels: { ...copy.metadata.labels, theirs: 'x' } }, want: 'fits' },
    { name: 'a finalizer', metadata: { finalizers: ['theirs'] }, want: 'fits' },
    { name: 'a lost label', metadata: { labels: {} }, want: 'differs' },
    { name: 'no labels', metadata: { labels: null }, want: 'differs' },
    {
      name: 'a carried label too many',
      metadata: { labels: { ...copy.metadata.labels, [labels.location]: 'x' } },
      want: 'differs',
    },
    {
      name: 'an edited annotation',
      metadata: { annotations: { ...copy.metadata.annotations, 'meta.datumapis.com/upstream-uid': 'x' } },
      want: 'differs',
    },
    {
      name: 'a status too many',
      metadata: { annotations: { ...copy.metadata.annotations, 'networking.datumapis.com/upstream-status': '{}' } },
      want: 'differs',
    },
    { name: 'no owner', metadata: { ownerReferences: [] }, want: 'differs' },
    {
      name: 'an owner of another uid',
      metadata: { ownerReferences: [{ ...anchorReference(anchorOf()), uid: 'x' }] },
      want: 'differs',
    },
    {
      name: 'another owner too',
      metadata: { ownerReferences: [anchorReference(anchorOf()), anchorReference(anchorOf(undefined, { uid: 'x' }))] },
      want: 'fits',
    },
  ])('metadata with $name: $want', ({ metadata, want }) => {
    expect(changed(metadata).metadata).toBe(want);
  });

  it.each([
    [{}, 'fits'],
    [{ status: { any: 1 }, other: 2 }, 'fits'],
    [{ spec: { a: 1, b: 2 } }, 'surplus'],
    [{ data: { a: 'x' } }, 'surplus'],
    [{ spec: { a: 2 } }, 'differs'],
    [{ spec: undefined }, 'differs'],
  ])('body %j: %s', (body, want) => {
    expect(changed({}, body).body).toBe(want);
  });

  it('what an operator does not carry any more is ours still, on kinds that carry it by default alone', () => {
    expect(ownedKeys(policyOf(NetworkContext, { carriedLabels: [] })).labels).toContain(labels.location);
    expect(ownedKeys(policyOf(HTTPProxy)).labels).not.toContain(labels.location);
  });
});
