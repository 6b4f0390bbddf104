import { defineKind } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { Gadget, Note } from '../testing/gadget.fixture.ts';
import { collectionPath, objectPath, queryText } from './paths.ts';

const Zone = defineKind({ ...Gadget, kind: 'Zone', plural: 'zones', scope: 'Cluster' });

describe('paths', () => {
  it.each([
    { path: collectionPath({ kind: Note, version: 'v1' }), want: '/api/v1/notes' },
    { path: collectionPath({ kind: Note, version: 'v1', namespace: 'a' }), want: '/api/v1/namespaces/a/notes' },
    {
      path: objectPath({ kind: Gadget, version: 'v2', namespace: 'a' }, 'x'),
      want: '/apis/example.dev/v2/namespaces/a/gadgets/x',
    },
    {
      path: objectPath({ kind: Zone, version: 'v1', subresource: 'status' }, 'x'),
      want: '/apis/example.dev/v1/zones/x/status',
    },
    {
      path: objectPath({ kind: Zone, version: 'v1' }, 'system:x y?z#ä'),
      want: '/apis/example.dev/v1/zones/system%3Ax%20y%3Fz%23%C3%A4',
    },
  ])('$want', ({ path, want }) => {
    expect(path).toBe(want);
  });

  it.each(['', '.', '..', 'a/b', 'a%2fb', '../../secrets/x'])(
    'never send the name %j, which leads elsewhere',
    (name) => {
      expect(() => objectPath({ kind: Gadget, version: 'v1', namespace: 'a' }, name)).toThrow('cannot be a name');
      expect(() => objectPath({ kind: Gadget, version: 'v1', namespace: name }, 'a')).toThrow('cannot be a namespace');
    },
  );

  it('an object of a namespaced kind has a namespace, one of the whole cluster has none', () => {
    expect(() => objectPath({ kind: Gadget, version: 'v1' }, 'a')).toThrow(
      'invalid: Gadget.example.dev a needs a namespace',
    );
    expect(() => collectionPath({ kind: Zone, version: 'v1', namespace: 'a' })).toThrow('has no namespaces');
  });

  it('queries leave out what is undefined and escape the rest', () => {
    expect(queryText({ a: undefined })).toBe('');
    expect(queryText({ limit: 5, labelSelector: 'a in (b,c)', watch: true })).toBe(
      '?limit=5&labelSelector=a%20in%20(b%2Cc)&watch=true',
    );
  });
});
