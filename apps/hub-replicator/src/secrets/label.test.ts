import { annotations, applyMergePatch, type KubeObject, labels } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { labelChange, labelWrite } from './label.ts';

const secret = (metadata: Partial<KubeObject['metadata']> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'default', name: 'a', uid: 'u1', resourceVersion: '7', ...metadata },
});
const byUser = { labels: { [labels.gatewaySync]: '' } };
const byUs = { labels: { [labels.gatewaySync]: 'true' }, annotations: { [annotations.gatewaySyncManaged]: 'true' } };

describe('labelChange', () => {
  it.each([
    { name: 'bare', metadata: {}, named: 'add', unnamed: 'none' },
    { name: 'the user’s', metadata: byUser, named: 'none', unnamed: 'none' },
    { name: 'ours', metadata: byUs, named: 'none', unnamed: 'remove' },
    {
      name: 'ours, the label was taken off',
      metadata: { annotations: byUs.annotations },
      named: 'add',
      unnamed: 'remove',
    },
    {
      name: 'a user who says that it is not ours',
      metadata: { ...byUser, annotations: { [annotations.gatewaySyncManaged]: 'false' } },
      named: 'none',
      unnamed: 'none',
    },
    {
      name: 'on its way out',
      metadata: { ...byUs, deletionTimestamp: '2026-01-01T00:00:00Z' },
      named: 'none',
      unnamed: 'none',
    },
  ])('$name', ({ metadata, named, unnamed }) => {
    expect(labelChange(secret(metadata), true)).toBe(named);
    expect(labelChange(secret(metadata), false)).toBe(unnamed);
  });
});

describe('labelWrite', () => {
  const after = (object: KubeObject, change: 'add' | 'remove'): KubeObject => {
    const write = labelWrite(object, change);
    if (write.verb !== 'patch' || write.patch.type !== 'merge') throw new Error('not a merge patch');
    return applyMergePatch(object, write.patch.body) as unknown as KubeObject;
  };

  it('adds both marks and takes both off, and nothing else', () => {
    const bare = secret({ labels: { theirs: 'x' }, annotations: {} });
    const labelled = after(bare, 'add');
    expect(labelled.metadata).toMatchObject({ labels: { theirs: 'x', ...byUs.labels }, annotations: byUs.annotations });
    expect(labelChange(labelled, true)).toBe('none');
    expect(after(labelled, 'remove')).toEqual(bare);
  });

  it('is for this very object as it was read', () => {
    expect(labelWrite(secret(), 'add')).toMatchObject({
      patch: { body: { metadata: { uid: 'u1', resourceVersion: '7' } } },
    });
  });
});
