import {
  annotations,
  applyJsonPatch,
  fieldManagers,
  HTTPProxy,
  type JsonObject,
  type KubeObject,
  labels,
} from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { copyOf, policyOf } from './mirror.fixture.ts';
import { ownedKeys } from './owned.ts';
import { takeOver } from './take-over.ts';

const owned = ownedKeys(policyOf(HTTPProxy));
const wanted = {
  metadata: { labels: { [labels.upstreamName]: 'web' }, annotations: {} },
  spec: { hostnames: ['a'], rules: [{ name: 'r', port: 1 }] },
} as unknown as JsonObject;

const entry = (who: `${string}/${'Apply' | 'Update'}`, fieldsV1: JsonObject, more: JsonObject = {}): JsonObject => ({
  manager: who.split('/')[0],
  operation: who.split('/')[1],
  apiVersion: 'networking.datumapis.com/v1alpha',
  fieldsType: 'FieldsV1',
  fieldsV1,
  ...more,
});
const ours = (fieldsV1: JsonObject): JsonObject => entry(`${fieldManagers.hubReplicator}/Apply`, fieldsV1);
const liveWith = (...managedFields: readonly JsonObject[]): KubeObject => {
  const copy = copyOf();
  return { ...copy, metadata: { ...copy.metadata, managedFields: managedFields as Record<string, unknown>[] } };
};
/** The managed fields after the patch. */
function after(live: KubeObject): readonly JsonObject[] {
  const { patch } = takeOver(live, wanted, owned);
  const patched = patch ? applyJsonPatch(live, patch) : live;
  return (patched as unknown as KubeObject).metadata.managedFields as readonly JsonObject[];
}

const all = {
  'f:metadata': {
    'f:labels': { '.': {}, [`f:${labels.upstreamName}`]: {}, 'f:theirs': {} },
    'f:annotations': { [`f:${annotations.upstreamStatus}`]: {} },
    'f:ownerReferences': { '.': {} },
  },
  'f:spec': { '.': {}, 'f:hostnames': {}, 'f:old': { 'f:deep': {} } },
};

describe('takeOver', () => {
  it('moves what is ours from an Update into our entry, and leaves the rest', () => {
    expect(after(liveWith(entry('manager/Update', all)))).toEqual([
      entry('manager/Update', {
        'f:metadata': {
          'f:labels': { '.': {}, 'f:theirs': {} },
          'f:ownerReferences': { '.': {} },
        },
      }),
      ours({
        'f:metadata': {
          'f:labels': { [`f:${labels.upstreamName}`]: {} },
          'f:annotations': { [`f:${annotations.upstreamStatus}`]: {} },
        },
        'f:spec': all['f:spec'],
      }),
    ]);
  });

  it('joins it with what we own already; entries that lose everything go', () => {
    const before = liveWith(
      ours({ 'f:spec': { 'f:hostnames': {}, 'f:rules': { 'f:x': {} } } }),
      entry('kubectl/Update', { 'f:spec': { 'f:hostnames': {}, 'f:rules': {} } }),
      entry('other/Apply', { 'f:data': { 'f:a': {} } }),
    );
    expect(after(before)).toEqual([
      ours({ 'f:spec': { 'f:hostnames': {}, 'f:rules': { '.': {}, 'f:x': {} } }, 'f:data': { 'f:a': {} } }),
    ]);
  });

  it("our own Update counts as another manager, a status entry is nobody's to take", () => {
    const status = entry('controller/Update', { 'f:status': {}, 'f:spec': {} }, { subresource: 'status' });
    const update = entry(`${fieldManagers.hubReplicator}/Update`, { 'f:spec': { 'f:hostnames': {} } });
    expect(after(liveWith(status, update))).toEqual([status, ours({ 'f:spec': { 'f:hostnames': {} } })]);
  });

  it('a patch passes only on the object that was read, in the state that was read', () => {
    const { patch } = takeOver(liveWith(entry('manager/Update', all)), wanted, owned);
    expect(patch?.slice(0, 2)).toEqual([
      { op: 'test', path: '/metadata/uid', value: 'copy-uid' },
      { op: 'test', path: '/metadata/resourceVersion', value: '7' },
    ]);
  });

  it.each<[string, readonly JsonObject[]]>([
    ['nothing of anybody', []],
    [
      'labels and annotations of theirs',
      [
        entry('karmada/Update', {
          'f:metadata': { 'f:labels': { 'f:x': {} }, 'f:annotations': { 'f:y': {} }, 'f:finalizers': {} },
        }),
      ],
    ],
    ['ours alone', [ours({ 'f:spec': { 'f:hostnames': {} } })]],
  ])('asks for no patch where there is %s', (_, entries) => {
    expect(takeOver(liveWith(...entries), wanted, owned).patch).toBeUndefined();
  });

  it.each<[string, JsonObject, boolean]>([
    ['what is wanted', { 'f:spec': { '.': {}, 'f:hostnames': {} } }, false],
    ['an item that is wanted', { 'f:spec': { 'f:rules': { 'k:{"name":"r"}': { '.': {}, 'f:port': {} } } } }, false],
    ['a value that is wanted', { 'f:spec': { 'f:hostnames': { 'v:"a"': {} } } }, false],
    ['a place that is wanted', { 'f:spec': { 'f:rules': { 'i:0': { 'f:name': {} } } } }, false],
    ['a field that is not', { 'f:spec': { 'f:old': {} } }, true],
    ['an item that is not', { 'f:spec': { 'f:rules': { 'k:{"name":"gone"}': {} } } }, true],
    ['a value that is not', { 'f:spec': { 'f:hostnames': { 'v:"b"': {} } } }, true],
    ['a place that is not', { 'f:spec': { 'f:rules': { 'i:1': {} } } }, true],
    ['a step of a kind that nobody knows', { 'f:spec': { 'q:x': {} } }, true],
    [
      'an annotation that is not',
      { 'f:metadata': { 'f:annotations': { [`f:${annotations.upstreamStatus}`]: {} } } },
      true,
    ],
  ])('an apply of ours that owned %s', (_, fields, removes) => {
    expect(takeOver(liveWith(ours(fields)), wanted, owned).removes).toBe(removes);
  });
});
