import { describe, expect, it } from 'vitest';
import { controllerOf, isControlledBy, isOwnedBy, ownerReferenceTo, withOwnerReference } from './owner.ts';

const connector = {
  apiVersion: 'networking.datumapis.com/v1alpha1',
  kind: 'Connector',
  metadata: { name: 'conn-a', namespace: 'default', uid: 'u1' },
};
const plain = { apiVersion: connector.apiVersion, kind: 'Connector', name: 'conn-a', uid: 'u1' };
const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'anchor', uid: 'u2' };

describe('owner references', () => {
  it('says controller and blockOwnerDeletion only where asked', () => {
    expect(ownerReferenceTo(connector)).toEqual(plain);
    expect(ownerReferenceTo(connector, { controller: true, blockOwnerDeletion: true })).toEqual({
      ...plain,
      controller: true,
      blockOwnerDeletion: true,
    });
  });

  it('needs a uid', () => {
    expect(() => ownerReferenceTo({ ...connector, metadata: { name: 'conn-a' } })).toThrow(TypeError);
  });

  it('owners go by uid, the controller by its mark', () => {
    const object = { metadata: { ownerReferences: [other, { ...plain, controller: true }] } };
    expect(isOwnedBy(object, 'u2')).toBe(true);
    expect(isOwnedBy(object, 'u3')).toBe(false);
    expect(controllerOf(object)?.uid).toBe('u1');
    expect(isControlledBy(object, 'u1')).toBe(true);
    expect(isControlledBy(object, 'u2')).toBe(false);
    expect(isControlledBy({ metadata: { ownerReferences: null } }, 'u1')).toBe(false);
  });

  it('withOwnerReference: added once, replaced in place, others untouched', () => {
    expect(withOwnerReference(null, plain)).toEqual([plain]);
    const references = [other, plain];
    expect(withOwnerReference(references, { ...plain, controller: false })).toBe(references);
    const result = withOwnerReference(references, { ...plain, controller: true });
    expect(result).toEqual([other, { ...plain, controller: true }]);
    expect(result[0]).toBe(other);
    expect(withOwnerReference([other], { ...plain, uid: 'u9' })).toEqual([other, { ...plain, uid: 'u9' }]);
  });
});
