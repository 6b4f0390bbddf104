import { deepEqual, deepFreeze, type JsonObject, type JsonValue } from '@lifeline/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileSchema } from './compile.ts';
import type { Schema } from './compiled-schema.ts';

const names = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'metadata');

const values = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<JsonValue>(null, true, 0, 1.5, -7, 2 ** 40, '', 'x', 'long text'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }) as fc.Arbitrary<JsonValue>,
  ),
})).value;

const flag = (name: string): fc.Arbitrary<Schema> => fc.constantFrom<Schema>({}, {}, { [name]: true });

const schemas = fc.letrec<{ schema: Schema }>((tie) => {
  const merged = (...parts: readonly fc.Arbitrary<Schema>[]): fc.Arbitrary<Schema> =>
    fc.tuple(...parts).map((schemasOfParts) => Object.assign({}, ...schemasOfParts) as Schema);
  const objects = fc.record({
    type: fc.constant('object' as const),
    properties: fc.dictionary(names, tie('schema'), { maxKeys: 3, noNullPrototype: true }),
    required: fc.uniqueArray(names, { maxLength: 2 }),
  });
  const maps = fc.record({ type: fc.constant('object' as const), additionalProperties: tie('schema') });
  const lists = fc.record({
    type: fc.constant('array' as const),
    items: tie('schema'),
    maxItems: fc.constantFrom(1, 9),
    'x-kubernetes-list-type': fc.constantFrom('atomic' as const, 'set' as const),
  });
  const scalars = fc.constantFrom<Schema>(
    { type: 'string', minLength: 1, pattern: '^[a-z ]+$' },
    { type: 'integer', format: 'int32', minimum: 0 },
    { type: 'number', maximum: 1 },
    { type: 'boolean' },
    { 'x-kubernetes-int-or-string': true },
    { type: 'string', enum: ['x', ''] },
    { 'x-kubernetes-preserve-unknown-fields': true },
  );
  const defaulted = fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    values.map((value) => ({ default: value })),
  );
  return {
    schema: fc.oneof(
      { maxDepth: 3 },
      merged(scalars, flag('nullable'), defaulted),
      merged(objects, flag('nullable'), flag('x-kubernetes-preserve-unknown-fields'), defaulted),
      merged(maps, flag('nullable'), defaulted),
      merged(lists, flag('nullable'), defaulted),
    ),
  };
}).schema;

const cases = fc.record({ spec: schemas, object: fc.record({ spec: values }) });

/** Of any schema, whether or not a server would take it: what holds must not depend on that. */
const holds = (property: (schema: ReturnType<typeof compileSchema>, object: JsonObject) => void): void => {
  fc.assert(
    fc.property(cases, ({ spec, object }) => {
      property(compileSchema({ type: 'object', properties: { spec } }), deepFreeze(object as JsonObject));
    }),
    { seed: 1, numRuns: 300 },
  );
};

describe('a compiled schema', () => {
  it('finds nothing to prune in what is pruned', () => {
    holds((schema, object) => {
      const pruned = schema.prune(object);
      expect(schema.prune(pruned)).toBe(pruned);
      expect(schema.unknownFields(pruned)).toEqual([]);
      if (schema.unknownFields(object).length > 0) expect(deepEqual(pruned, object)).toBe(false);
    });
  });

  it('finds nothing to fill in in what is filled in', () => {
    holds((schema, object) => {
      const filled = schema.applyDefaults(schema.prune(object));
      expect(schema.applyDefaults(filled)).toBe(filled);
    });
  });

  it('fills in nothing that it does not know', () => {
    holds((schema, object) => {
      expect(schema.unknownFields(schema.applyDefaults(schema.prune(object)))).toEqual([]);
    });
  });

  it('forgives everything of an object that stays as it is', () => {
    holds((schema, object) => {
      const causes = schema.validate(object, { old: object });
      expect(causes).toEqual([]);
    });
  });

  it('tells every flaw once, with where it is', () => {
    holds((schema, object) => {
      const causes = schema.validate(object).map(({ field, reason, message }) => `${field ?? ''} ${reason} ${message}`);
      expect(new Set(causes).size).toBe(causes.length);
      for (const cause of causes) expect(cause).toMatch(/^(spec|<nil>)/);
    });
  });
});
