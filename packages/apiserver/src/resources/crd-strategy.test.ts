import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { systemAdmin } from '../auth/user.ts';
import { crdStrategy } from './crd-strategy.ts';
import type { StoredObject, StrategyContext } from './resource.ts';

interface Answer {
  readonly name: string;
  readonly definition: StoredObject;
  readonly causes: readonly (readonly [reason: string, message: string, field: string])[];
  readonly warning?: string;
}

/** Definitions, and what a kube-apiserver 1.36.3 said of their creation. */
const recorded = JSON.parse(
  readFileSync(new URL('crd/testdata/definitions.json', import.meta.url), 'utf8'),
) as readonly Answer[];

/** The real server shows versions as the structs that it has of them, which are not the ones it was sent. */
const withoutVersions = ([reason, message, field]: readonly [string, string, string]): readonly string[] => [
  reason,
  message.replace(/\[\{.*\}\]/, '[…]'),
  field,
];

const context = { user: systemAdmin, now: '2026-01-01T00:00:00Z' } as unknown as StrategyContext;

describe('crdStrategy', () => {
  it.each(recorded)('says what a real server says of $name', ({ definition, causes, warning }) => {
    const prepared = crdStrategy.prepare?.(definition, undefined, context) as StoredObject;
    const found = crdStrategy.validate?.(prepared, undefined, context) ?? [];
    const told = found.map(({ reason, message, field = '' }) => [reason, message, field] as const);
    expect(told.map(withoutVersions)).toEqual(causes.map(withoutVersions));
    expect(crdStrategy.warnings?.(prepared, undefined)).toEqual(
      warning ? [JSON.parse(warning.slice('299 - '.length))] : [],
    );
  });
});

const definition = (spec: object = {}, metadata: object = {}): StoredObject =>
  ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'foos.example.com', ...metadata },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'foos', kind: 'Foo' },
      versions: [version('v1', true)],
      ...spec,
    },
  }) as StoredObject;

const version = (name: string, storage: boolean, more: object = {}): object => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: 'object' } },
  ...more,
});

const prepare = (next: StoredObject, old?: StoredObject): StoredObject =>
  crdStrategy.prepare?.(next, old, context) as StoredObject;

const established = (object: StoredObject): StoredObject =>
  ({
    ...object,
    status: { ...(object['status'] as object), conditions: [{ type: 'Established', status: 'True' }] },
  }) as StoredObject;

const flaws = (next: StoredObject, old?: StoredObject): readonly string[] =>
  (crdStrategy.validate?.(prepare(next, old), old, context) ?? []).map(
    ({ field, message }) => `${field ?? ''}: ${message}`,
  );

describe('crdStrategy, on create', () => {
  it('fills in names and the conversion, and takes no status from the client', () => {
    expect(prepare({ ...definition(), status: { storedVersions: ['v9'] } } as StoredObject)).toMatchObject({
      spec: {
        names: { plural: 'foos', kind: 'Foo', singular: 'foo', listKind: 'FooList' },
        conversion: { strategy: 'None' },
      },
      status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] },
    });
  });

  it('takes no versions for an empty list', () => {
    expect(flaws(definition({ versions: null }))).toEqual([
      'spec.versions: Invalid value: []: must have exactly one version marked as storage version',
      'status.storedVersions: Invalid value: null: must have at least one stored version',
    ]);
  });

  it('refuses what a status subresource cannot work with', () => {
    const schema = { openAPIV3Schema: { type: 'object', anyOf: [{ required: ['a'] }] } };
    expect(flaws(definition({ versions: [version('v1', true, { schema, subresources: { status: {} } })] }))).toEqual([
      expect.stringMatching(/fields are allowed at the root of the schema if the status subresource is enabled$/),
    ]);
  });

  it('refuses, where a real server does not, webhooks and versions that differ', () => {
    expect(flaws(definition({ conversion: { strategy: 'Webhook', webhook: {} } }))).toEqual([
      'spec.conversion.strategy: Forbidden: conversion by webhook is not available here: all versions must be alike',
    ]);
    const other = { schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } } };
    expect(flaws(definition({ versions: [version('v1', true), version('v2', false, other)] }))).toEqual([
      expect.stringContaining('spec.versions[1].schema: Forbidden: must be that of v1'),
    ]);
  });
});

describe('crdStrategy, on update', () => {
  const old = established(prepare(definition()));

  it('keeps the status, and adds the stored version', () => {
    const next = definition({ versions: [version('v1', false), version('v2', true)] });
    expect(prepare(next, old)['status']).toEqual({ ...(old['status'] as object), storedVersions: ['v1', 'v2'] });
    expect(flaws(next, old)).toEqual([]);
  });

  it.each([
    { name: 'the scope', spec: { scope: 'Cluster' }, want: 'spec.scope: Invalid value: "Cluster": field is immutable' },
    {
      name: 'the kind',
      spec: { names: { plural: 'foos', kind: 'Bar' } },
      want: 'spec.names.kind: Invalid value: "Bar": field is immutable',
    },
    { name: 'the group', spec: { group: 'b.com' }, want: 'spec.group: Invalid value: "b.com": field is immutable' },
    {
      name: 'the plural',
      spec: { names: { plural: 'bars', kind: 'Foo' } },
      want: 'spec.names.plural: Invalid value: "bars": field is immutable',
    },
    {
      name: 'a version that objects may be stored in',
      spec: { versions: [version('v2', true)] },
      want: 'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was',
    },
  ])('does not let $name change', ({ spec, want }) => {
    expect(flaws(definition(spec), old)).toEqual([expect.stringContaining(want)]);
  });

  it('lets scope and kind change until it is established', () => {
    expect(
      flaws(definition({ scope: 'Cluster', names: { plural: 'foos', kind: 'Bar' } }), prepare(definition())),
    ).toEqual([]);
  });

  it('lets pass what a protected group lacked before', () => {
    const inGroup = (text?: string): StoredObject =>
      definition(
        { group: 'a.k8s.io' },
        { name: 'foos.a.k8s.io', annotations: text ? { 'api-approved.kubernetes.io': text } : {} },
      );
    expect(flaws(inGroup())).toHaveLength(1);
    expect(flaws(inGroup('unapproved, a test'))).toEqual([]);
    expect(flaws(inGroup('https://github.com/x/y'))).toEqual([]);
    expect(flaws(inGroup('because'))).toHaveLength(1);
    expect(flaws(inGroup(), inGroup())).toEqual([]);
    expect(flaws(inGroup(), inGroup('unapproved'))).toHaveLength(1);
  });

  it('warns of a format once', () => {
    const odd = definition({
      versions: [
        version('v1', true, {
          schema: { openAPIV3Schema: { type: 'object', properties: { a: { type: 'string', format: 'odd' } } } },
        }),
      ],
    });
    expect(crdStrategy.warnings?.(odd, definition())).toEqual(['unrecognized format "odd"']);
    expect(crdStrategy.warnings?.(odd, odd)).toEqual([]);
  });
});

describe('crdStrategy, on delete', () => {
  it('is held by its objects', () => {
    const marked = crdStrategy.startDeletion?.(
      established(prepare(definition({}, { finalizers: ['a.b/c'] }))),
      context,
    );
    expect(marked).toMatchObject({
      metadata: { finalizers: ['a.b/c', 'customresourcecleanup.apiextensions.k8s.io'] },
      status: {
        conditions: [
          { type: 'Established' },
          {
            type: 'Terminating',
            status: 'True',
            reason: 'InstanceDeletionPending',
            lastTransitionTime: '2026-01-01T00:00:00Z',
          },
        ],
      },
    });
    expect(marked && crdStrategy.startDeletion?.(marked, context)).toMatchObject({
      metadata: { finalizers: { length: 2 } },
    });
  });
});
