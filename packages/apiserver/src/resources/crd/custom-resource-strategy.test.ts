import { describe, expect, it } from 'vitest';
import { ApiError } from '../../api-error.ts';
import type { StoredObject, StrategyContext } from '../resource.ts';
import { customResourceStrategy } from './custom-resource-strategy.ts';

const scale = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
};
const subject = { group: 'example.com', plural: 'foos', kind: 'Foo' };
const object = (fields: object, metadata: object = {}): StoredObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Foo',
  metadata: { name: 'a', ...metadata },
  ...fields,
});
const context = (subresource?: string): StrategyContext => ({ subresource }) as unknown as StrategyContext;

describe('customResourceStrategy', () => {
  const strategy = customResourceStrategy({ scale, terminating: false, subject });

  it.each([
    { fields: { spec: { replicas: 3 }, status: { replicas: 0, selector: 'a=b' } }, want: [] },
    { fields: {}, want: [] },
    {
      fields: { spec: { replicas: -1 } },
      want: ['.spec.replicas: Invalid value: -1: should be a non-negative integer'],
    },
    {
      fields: { spec: { replicas: 2 ** 31 } },
      want: ['.spec.replicas: Invalid value: 2147483648: should be less than or equal to 2147483647'],
    },
    {
      fields: { spec: { replicas: 1.5 } },
      want: [
        '.spec.replicas: Invalid value: 0: .spec.replicas accessor error: 1.5 is of the type float64, expected int64',
      ],
    },
    {
      fields: { spec: 's' },
      want: [
        '.spec.replicas: Invalid value: 0: .spec.replicas accessor error: s is of the type string, expected map[string]interface{}',
      ],
    },
    {
      fields: { spec: { replicas: null } },
      want: [
        '.spec.replicas: Invalid value: 0: .spec.replicas accessor error: <nil> is of the type <nil>, expected int64',
      ],
    },
    {
      fields: { status: { selector: [1] } },
      want: [
        '.status.selector: Invalid value: "": .status.selector accessor error: [1] is of the type []interface {}, expected string',
      ],
    },
  ])('$fields', ({ fields, want }) => {
    const causes = strategy.validate?.(object(fields), undefined, context()) ?? [];
    expect(causes.map(({ field, message }) => `${field ?? ''}: ${message}`)).toEqual(want);
  });

  it('looks only at the status of a write to it', () => {
    const both = object({ spec: { replicas: -1 }, status: { replicas: -1 } });
    expect(strategy.validate?.(both, both, context('status')).map(({ field }) => field)).toEqual(['.status.replicas']);
  });

  it('warns of new finalizers that anyone could have', () => {
    const next = object({}, { finalizers: ['zone', 'a.b', 'a.b/c', 'foregroundDeletion', 'old'] });
    expect(strategy.warnings?.(next, object({}, { finalizers: ['old'] }))).toEqual([
      'metadata.finalizers: "a.b": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers',
      'metadata.finalizers: "zone": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
    ]);
  });

  it('refuses creates, and nothing else, while the definition goes', () => {
    const going = customResourceStrategy({ scale: false, terminating: true, subject });
    const next = object({});
    expect(going.prepare?.(next, next, context())).toBe(next);
    expect(() => going.prepare?.(next, undefined, context())).toThrow(ApiError);
    expect(() => going.prepare?.(next, undefined, context())).toThrow(
      'foos.example.com "a" is forbidden: create not allowed while custom resource definition is terminating',
    );
  });
});
