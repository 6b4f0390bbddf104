import type { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { JsonNumber } from '../json/value.ts';
import type { KubeObject } from '../meta/object.ts';
import { allKinds, kindById, kindOf } from './all-kinds.ts';
import { defineKind, type Kind, kindId } from './kind.ts';
import { sampleObjects } from './samples/index.ts';
import { edited, fieldOf, fieldsOf, itemsOf, type Place, placesOf, schemaAt } from './samples/schema-walk.ts';

const typeOf = (schema: z.core.$ZodType): string => fieldOf(schema).schema._zod.def.type;

const sampleOf = (kind: Kind): KubeObject => {
  const sample = sampleObjects.find((object) => kindOf(object) === kind);
  if (!sample) throw new Error(`no sample of ${kind.id}`);
  return sample;
};

const places = (kind: Kind): Place[] => [...placesOf(kind.schema, sampleOf(kind))];
const accepts = (kind: Kind, object: unknown): boolean => kind.schema.safeParse(object).success;

/** Every object schema below `schema`, with its path. */
function* objectSchemas(schema: z.core.$ZodType, path: string): Generator<[path: string, schema: z.core.$ZodTypes]> {
  const inner = fieldOf(schema).schema;
  const { def } = inner._zod;
  if (def.type === 'object') {
    yield [path, inner];
    for (const [name, child] of Object.entries(def.shape)) yield* objectSchemas(child, `${path}.${name}`);
  } else if (def.type === 'array') yield* objectSchemas(def.element, `${path}[]`);
}

describe('all kinds', () => {
  it('have ids of their own, and resources of their own', () => {
    expect(new Set(allKinds.map(({ id }) => id)).size).toBe(allKinds.length);
    expect(new Set(allKinds.map(({ group, plural }) => `${plural}.${group}`)).size).toBe(allKinds.length);
  });

  it('have no short name in common within a group', () => {
    const names = allKinds.flatMap(({ group, shortNames, plural }) =>
      [plural, ...shortNames].map((name) => `${name}.${group}`),
    );
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('have one sample each', () => {
    expect(sampleObjects.map((object) => kindOf(object)?.id).sort()).toEqual(allKinds.map(({ id }) => id).sort());
  });

  it('have samples that together set every field', () => {
    const set = new Set(allKinds.flatMap((kind) => places(kind).map(({ schema }) => schema)));
    const unset = allKinds.flatMap((kind) =>
      [...objectSchemas(kind.schema, kind.id)].flatMap(([path, object]) =>
        Object.entries(fieldsOf(object)).flatMap(([name, field]) =>
          set.has(fieldOf(field).schema) ? [] : [`${path}.${name}`],
        ),
      ),
    );
    // Of metadata the parsing of any one field is core's, not the kinds'.
    expect(unset.filter((path) => !path.includes('.metadata.'))).toEqual([]);
  });

  it('are found by id, by group and kind, and by what an object says of itself', () => {
    for (const kind of allKinds) {
      expect(kindById(kindId(kind.group, kind.kind))).toBe(kind);
      expect(kindOf({ apiVersion: kind.apiVersion, kind: kind.kind })).toBe(kind);
    }
    expect(kindOf({ apiVersion: 'networking.datumapis.com/v9', kind: 'Connector' })?.version).toBe('v1alpha1');
    expect(kindOf({ apiVersion: 'v1', kind: 'Connector' })).toBeUndefined();
    expect(kindOf({ apiVersion: 'example.com/v1', kind: 'ConfigMap' })).toBeUndefined();
    expect(kindById('toString')).toBeUndefined();
  });
});

describe.each(allKinds)('$id', (kind) => {
  it('has well-formed names', () => {
    const group = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/;
    if (kind.group !== '') expect(kind.group).toMatch(group);
    for (const version of kind.versions) expect(version).toMatch(/^v[1-9]\d*((alpha|beta)([1-9]\d*)?)?$/);
    expect(kind.apiVersion).toBe(kind.group ? `${kind.group}/${kind.version}` : kind.version);
    expect(kind.kind).toMatch(/^[A-Z][A-Za-z0-9]*$/);
    for (const name of [kind.plural, ...kind.shortNames]) expect(name).toMatch(/^[a-z][a-z0-9]*$/);
    for (const category of kind.categories) expect(category).toMatch(/^[a-z][-a-z0-9]*$/);
  });

  it('speaks a version that it lists, newest first', () => {
    expect(kind.versions).toContain(kind.version);
    expect(new Set(kind.versions).size).toBe(kind.versions.length);
    expect(kind.version).toBe(kind.versions[0]);
  });

  it('has list maps over lists of objects, with keys that are scalars', () => {
    for (const [path, keys] of Object.entries(kind.listMapKeys)) {
      const list = schemaAt(kind.schema, path);
      const items = list && itemsOf(list);
      if (!items) throw new Error(`${path} is no list`);
      expect(keys.length, path).toBeGreaterThan(0);
      for (const key of keys) {
        const field = fieldsOf(items)[key];
        expect(field && typeOf(field), `${path}: ${key}`).toMatch(/^(string|number|boolean)$/);
      }
    }
  });

  it('has a list map for the conditions of its own status, unless Karmada owns them', () => {
    if (!schemaAt(kind.schema, 'status.conditions') || kind.group.endsWith('karmada.io')) return;
    expect(kind.listMapKeys['status.conditions']).toEqual(['type']);
  });

  it('has printer columns that its schema names', () => {
    for (const { name, jsonPath } of kind.printerColumns) {
      expect(jsonPath).toMatch(/^\./);
      expect(schemaAt(kind.schema, jsonPath), `${name}: ${jsonPath}`).toBeDefined();
    }
    expect(new Set(kind.printerColumns.map(({ name }) => name)).size).toBe(kind.printerColumns.length);
  });

  it('selects and scales by plain fields', () => {
    for (const path of kind.selectableFields) {
      const field = schemaAt(kind.schema, path);
      expect(path).not.toContain('[');
      expect(field && typeOf(field), path).toMatch(/^(string|number|boolean)$/);
    }
    const scale = kind.scaleSubresource;
    for (const path of scale ? [scale.specReplicasPath, scale.statusReplicasPath] : []) {
      const field = schemaAt(kind.schema, path);
      expect(field && typeOf(field), path).toBe('number');
    }
  });

  it('has a status to write when it has a status subresource', () => {
    const fields = fieldsOf(kind.schema);
    if (kind.statusSubresource) expect(fields['status']).toBeDefined();
    // The answer of a review is the one status that is never written.
    else if (kind.kind !== 'SelfSubjectAccessReview') expect(fields['status']).toBeUndefined();
  });

  it('parses its sample, and gives it back as it was', () => {
    expect(kind.schema.parse(sampleOf(kind))).toEqual(sampleOf(kind));
  });

  it('keeps unknown fields wherever an object may have them', () => {
    const unknown = { 'x-unknown': { deep: [1, null] }, '7': 'integer-like' };
    const copy = structuredClone(sampleOf(kind));
    for (const { schema, path } of places(kind)) {
      if (schema._zod.def.type !== 'object') continue;
      Object.assign(
        path.reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], copy) as object,
        unknown,
      );
    }
    expect(copy).toHaveProperty('x-unknown');
    expect(kind.schema.parse(copy)).toEqual(copy);
  });

  it('takes null and absent for every optional field below metadata', () => {
    for (const { path, optional } of places(kind)) {
      if (!optional || path[0] === 'metadata') continue;
      expect(
        accepts(
          kind,
          edited(sampleOf(kind), path, (parent, key) => (parent[key] = null)),
        ),
        `null ${path.join('.')}`,
      ).toBe(true);
      expect(
        accepts(
          kind,
          edited(sampleOf(kind), path, (parent, key) => delete parent[key]),
        ),
        `no ${path.join('.')}`,
      ).toBe(true);
    }
  });

  it('refuses an object without a required field', () => {
    for (const { path, optional } of places(kind)) {
      // A list's item and a map's value are not required, and a review has no name.
      const parent = places(kind).find((place) => place.path.join('.') === path.slice(0, -1).join('.'));
      if (optional || path.length === 0 || parent?.schema._zod.def.type !== 'object') continue;
      expect(
        accepts(
          kind,
          edited(sampleOf(kind), path, (at, key) => delete at[key]),
        ),
        path.join('.'),
      ).toBe(false);
    }
  });

  it('refuses an object where a scalar should be', () => {
    for (const { path, schema } of places(kind)) {
      if (!['string', 'number', 'boolean', 'union'].includes(schema._zod.def.type)) continue;
      expect(
        accepts(
          kind,
          edited(sampleOf(kind), path, (at, key) => (at[key] = {})),
        ),
        path.join('.'),
      ).toBe(false);
    }
  });

  it('takes metadata as Go clients send it', () => {
    const metadata = {
      name: 'sample',
      creationTimestamp: null,
      deletionTimestamp: null,
      deletionGracePeriodSeconds: null,
      labels: null,
      annotations: null,
      finalizers: null,
      ownerReferences: null,
      managedFields: null,
    };
    expect(accepts(kind, { ...sampleOf(kind), metadata })).toBe(true);
  });
});

describe('numbers', () => {
  const int64Paths = allKinds.flatMap((kind) =>
    places(kind).flatMap(({ schema, path }) => {
      const { def } = schema._zod;
      const isInt64 = def.type === 'union' && !def.options.some((option) => typeOf(option) === 'string');
      return isInt64 ? [{ name: `${kind.id} ${path.join('.')}`, kind, path }] : [];
    }),
  );

  it.each(int64Paths)('$name may pass 2^53', ({ kind, path }) => {
    const big = new JsonNumber('9223372036854775807');
    const object = { ...sampleOf(kind) };
    const copy = edited(object, path, (at, key) => (at[key] = big));
    expect(accepts(kind, copy)).toBe(true);
    expect(
      accepts(
        kind,
        edited(object, path, (at, key) => (at[key] = 1.5)),
      ),
    ).toBe(false);
  });

  it('include every generation that a status echoes', () => {
    const names = int64Paths.map(({ name }) => name);
    expect(names).toContain('Connector.networking.datumapis.com metadata.generation');
    expect(names).toContain('Connector.networking.datumapis.com status.conditions.0.observedGeneration');
    expect(names).toContain('WorkloadDeployment.compute.datumapis.com status.observedProjectGeneration');
    expect(names).toContain('ResourceClaim.quota.miloapis.com spec.requests.0.amount');
  });
});

describe('defineKind', () => {
  const spec = {
    group: '',
    version: 'v1',
    kind: 'Thing',
    plural: 'things',
    scope: 'Namespaced',
    statusSubresource: false,
    schema: allKinds[0]?.schema as z.ZodType<KubeObject>,
  } as const;

  it('fills in what is not given, and freezes', () => {
    const kind = defineKind(spec);
    expect(kind).toMatchObject({
      apiVersion: 'v1',
      id: 'Thing',
      versions: ['v1'],
      scaleSubresource: false,
      listMapKeys: {},
      printerColumns: [],
    });
    expect(Object.isFrozen(kind)).toBe(true);
  });

  it('names group and kind in the id, without the version', () => {
    expect(defineKind({ ...spec, group: 'example.com' })).toMatchObject({
      apiVersion: 'example.com/v1',
      id: 'Thing.example.com',
    });
  });
});
