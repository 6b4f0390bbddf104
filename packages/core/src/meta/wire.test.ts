import { describe, expect, it } from 'vitest';
import { asStatus, listSchema, watchEventSchema } from './wire.ts';

const list = {
  apiVersion: 'v1',
  kind: 'ConfigMapList',
  metadata: { resourceVersion: '7' },
  items: [{ metadata: { name: 'a' } }],
};

describe('wire shapes', () => {
  it('a list passes its items through as they are', () => {
    expect(listSchema.parse(list).items?.[0]).toBe(list.items[0]);
    expect(listSchema.parse({ ...list, items: null }).items).toBeNull();
    expect(
      listSchema.parse({ ...list, metadata: { continue: 'c', remainingItemCount: 3, selfLink: '' } }).metadata,
    ).toEqual({
      continue: 'c',
      remainingItemCount: 3,
      selfLink: '',
    });
  });

  it.each([
    { ...list, kind: 'ConfigMap' },
    { ...list, items: undefined },
    { ...list, items: {} },
    { ...list, metadata: undefined },
    'ok',
    null,
  ])('%j is no list', (value) => {
    expect(listSchema.safeParse(value).success).toBe(false);
  });

  it('knows the five event types', () => {
    for (const type of ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']) {
      expect(watchEventSchema.parse({ type, object: { kind: 'Any' } }).object).toEqual({ kind: 'Any' });
    }
    expect(watchEventSchema.safeParse({ type: 'added', object: {} }).success).toBe(false);
    expect(watchEventSchema.safeParse({ type: 'ADDED' }).success).toBe(false);
  });

  it('only a Status is the word of the API server', () => {
    const status = {
      apiVersion: 'v1',
      kind: 'Status',
      status: 'Failure',
      reason: 'NotFound',
      code: 404,
      details: { name: 'conn-a', group: 'networking.datumapis.com', kind: 'connectors' },
      unknown: 1,
    };
    expect(asStatus(status)).toEqual(status);
    expect(asStatus({ apiVersion: 'v1', kind: 'Status' })).toBeDefined();
    for (const other of [
      { ...status, kind: 'ConfigMap' },
      { ...status, apiVersion: 'v2' },
      '404 page not found',
      undefined,
    ]) {
      expect(asStatus(other)).toBeUndefined();
    }
  });
});
