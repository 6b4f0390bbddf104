import { describe, expect, it } from 'vitest';
import type { StoredObject } from '../resources/resource.ts';
import { settle } from './settle.ts';

const entry = {
  manager: 'one',
  operation: 'Apply',
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:data': {} },
};
const object = (metadata: object = {}, data: object = { x: '1' }): StoredObject =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'a',
      resourceVersion: '7',
      managedFields: [{ ...entry, time: '2026-01-01T00:00:00Z' }],
      ...metadata,
    },
    data,
  }) as unknown as StoredObject;

const live = object();

describe('settle', () => {
  it.each([
    { name: 'an equal object', next: object() },
    { name: 'another time', next: object({ managedFields: [{ ...entry, time: '2026-01-02T00:00:00Z' }] }) },
    { name: 'a time that is gone', next: object({ managedFields: [entry] }) },
    { name: 'no resourceVersion', next: object({ resourceVersion: undefined }) },
  ])('$name is nothing to write', ({ next }) => {
    expect(settle(next, live)).toBe(live);
  });

  it.each([
    { name: 'other data', next: object({}, { x: '2' }) },
    { name: 'another label', next: object({ labels: { a: 'b' } }) },
    { name: 'no owners', next: object({ managedFields: undefined }) },
    { name: 'other fields', next: object({ managedFields: [{ ...entry, fieldsV1: {} }] }) },
    { name: 'another owner', next: object({ managedFields: [...(live.metadata.managedFields as object[]), entry] }) },
    { name: 'another time, and other data', next: object({ managedFields: [entry] }, { x: '2' }) },
  ])('$name is', ({ next }) => {
    expect(settle(next, live)).toBe(next);
  });
});
