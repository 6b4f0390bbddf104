import { describe, expect, it } from 'vitest';
import { applyJsonPatch, type JsonPatch } from '../patch/json-patch.ts';
import { addFinalizer, hasFinalizer, removeFinalizer } from './finalizer.ts';

const ours = 'gateway.networking.datumapis.com/gateway-resource-replicator';
const theirs = 'example.com/theirs';
const deletionTimestamp = '2026-01-01T00:00:00Z';
const object = (finalizers?: string[] | null, over = {}) => ({
  metadata: { uid: 'u1', resourceVersion: '7', finalizers, ...over },
});
const uid = { op: 'test', path: '/metadata/uid', value: 'u1' };

describe('addFinalizer', () => {
  it.each([undefined, null, []])('starts the list from %j, guarded by the resourceVersion', (finalizers) => {
    expect(addFinalizer(object(finalizers), ours)).toEqual([
      uid,
      { op: 'test', path: '/metadata/resourceVersion', value: '7' },
      { op: 'add', path: '/metadata/finalizers', value: [ours] },
    ]);
  });

  it('appends to a list that must still be the one that was read', () => {
    expect(addFinalizer(object([theirs]), ours)).toEqual([
      uid,
      { op: 'test', path: '/metadata/finalizers', value: [theirs] },
      { op: 'add', path: '/metadata/finalizers/-', value: ours },
    ]);
  });

  it('does nothing when it is there, and never re-adds to a dying object', () => {
    expect(addFinalizer(object([theirs, ours]), ours)).toBeUndefined();
    expect(addFinalizer(object([theirs], { deletionTimestamp }), ours)).toBeUndefined();
    expect(addFinalizer(object([], { deletionTimestamp }), ours)).toBeUndefined();
    expect(addFinalizer(object([], { deletionTimestamp: null }), ours)).toBeDefined();
  });
});

describe('removeFinalizer', () => {
  it('removes the entry that was read, and tests that it is still ours', () => {
    expect(removeFinalizer(object([theirs, ours], { deletionTimestamp }), ours)).toEqual([
      uid,
      { op: 'test', path: '/metadata/finalizers/1', value: ours },
      { op: 'remove', path: '/metadata/finalizers/1' },
    ]);
  });

  it('removes duplicates from the end', () => {
    expect(removeFinalizer(object([ours, theirs, ours]), ours)?.slice(1)).toEqual([
      { op: 'test', path: '/metadata/finalizers/0', value: ours },
      { op: 'test', path: '/metadata/finalizers/2', value: ours },
      { op: 'remove', path: '/metadata/finalizers/2' },
      { op: 'remove', path: '/metadata/finalizers/0' },
    ]);
  });

  it.each([undefined, null, [], [theirs]])('does nothing for %j', (finalizers) => {
    expect(removeFinalizer(object(finalizers), ours)).toBeUndefined();
    expect(hasFinalizer(object(finalizers), ours)).toBe(false);
  });
});

describe('C25: the list as others change it', () => {
  const apply = (finalizers: string[], patch: JsonPatch | undefined, over = {}) =>
    (applyJsonPatch(object(finalizers, over), patch ?? []) as { metadata: { finalizers: string[] } }).metadata
      .finalizers;

  it('a foreign entry removed between our read and our write is not brought back', () => {
    const patch = removeFinalizer(object([ours, theirs]), ours);
    expect(apply([ours], patch)).toEqual([]);
  });

  it('an entry that moved makes the patch fail, so that it is read again', () => {
    const patch = removeFinalizer(object([theirs, ours]), ours);
    expect(() => apply([ours], patch)).toThrow('missing');
    expect(() => apply([ours, theirs], patch)).toThrow('test-failed');
  });

  it('two controllers that add at once never lose one another', () => {
    const mine = addFinalizer(object([theirs]), ours);
    expect(apply([theirs], mine)).toEqual([theirs, ours]);
    expect(() => apply([theirs, 'example.com/third'], mine)).toThrow('test-failed');
    const first = addFinalizer(object([]), ours);
    expect(() => apply([theirs], first, { resourceVersion: '8' })).toThrow('test-failed');
  });

  it('an object made anew under the same name is another object', () => {
    expect(() => apply([theirs], addFinalizer(object([theirs]), ours), { uid: 'u2' })).toThrow('test-failed');
    expect(() => apply([ours], removeFinalizer(object([ours]), ours), { uid: 'u2' })).toThrow('test-failed');
  });
});
