/** Whether a schema is structural: every value has a type of its own, apart from what is demanded of it. */
import { deepEqual } from '@lifeline/core';
import type { Cause } from '../../api-error.ts';
import { child, type FieldPath, forbidden, invalidValue, required } from '../../field-error.ts';
import type { Schema } from '../../schema/compiled-schema.ts';
import { goRegExp } from '../../schema/go-regexp.ts';

type Level = 'root' | 'item' | 'field';

/**
 * Sorted by text. None: it is structural.
 * @see kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/schema/validation.go, complete.go
 */
export const structuralFlaws = (schema: Schema, path: FieldPath): readonly Cause[] =>
  [...invariants(schema, 'root', path), ...incomplete(schema, schema, { at: path, demandedAt: path })].sort((a, b) =>
    text(a) < text(b) ? -1 : 1,
  );

const text = ({ field = '', message }: Cause): string => `${field}: ${message}`;

const propertyPath = (path: FieldPath, name: string): FieldPath => `${child(path, 'properties')}[${name}]`;

function invariants(schema: Schema, level: Level, path: FieldPath): readonly Cause[] {
  const { items, properties = {}, additionalProperties: rest } = schema;
  return [
    ...(schema.type === 'array' && !items ? [required(child(path, 'items'), 'must be specified')] : []),
    ...(items ? invariants(items, 'item', child(path, 'items')) : []),
    ...Object.entries(properties).flatMap(([name, at]) => invariants(at, 'field', propertyPath(path, name))),
    ...(rest && level === 'root'
      ? [forbidden(child(path, 'additionalProperties'), 'must not be used at the root')]
      : []),
    ...(typeof rest === 'object' ? invariants(rest, 'field', child(path, 'additionalProperties')) : []),
    ...extensionFlaws(schema, path),
    ...demandFlaws(schema, path, {
      anyOf: isIntOrString(schema.anyOf),
      allOf: isIntOrString(schema.allOf?.[0]?.anyOf),
    }),
    ...typeFlaws(schema, level, path),
    ...envelopeFlaws(schema, level, path),
  ];
}

function extensionFlaws(schema: Schema, path: FieldPath): readonly Cause[] {
  if (!schema['x-kubernetes-int-or-string']) return [];
  const names = ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const;
  return names.flatMap((name) =>
    schema[name] ? [invalidValue(child(path, name), true, 'must be false if x-kubernetes-int-or-string is true')] : [],
  );
}

const untyped = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
} as const satisfies Record<Level, string>;

function typeFlaws(schema: Schema, level: Level, path: FieldPath): readonly Cause[] {
  const at = child(path, 'type');
  const { type } = schema;
  const found: Cause[] = [];
  if (schema['x-kubernetes-embedded-resource'] && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    found.push(type ? invalidValue(at, type, detail) : required(at, detail));
  } else if (!type && !schema['x-kubernetes-int-or-string'] && !schema['x-kubernetes-preserve-unknown-fields']) {
    found.push(required(at, untyped[level]));
  }
  if (level === 'root' && type && type !== 'object') found.push(invalidValue(at, type, 'must be object at the root'));
  return found;
}

/** Of apiVersion, kind and metadata, which the server looks after. */
function envelopeFlaws(schema: Schema, level: Level, path: FieldPath): readonly Cause[] {
  const { properties = {} } = schema;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const found: Cause[] = [];
  if (embedded && schema.additionalProperties) {
    found.push(
      forbidden(child(path, 'additionalProperties'), 'must not be used if x-kubernetes-embedded-resource is set'),
    );
  }
  if (level === 'root' || embedded) {
    for (const name of ['kind', 'apiVersion']) {
      const type = Object.hasOwn(properties, name) ? (properties[name]?.type ?? '') : 'string';
      if (type !== 'string') found.push(invalidValue(child(propertyPath(path, name), 'type'), type, 'must be string'));
    }
    const metadata = Object.hasOwn(properties, 'metadata') ? properties['metadata'] : undefined;
    if (metadata && metadata.type !== 'object') {
      found.push(invalidValue(child(propertyPath(path, 'metadata'), 'type'), metadata.type ?? '', 'must be object'));
    }
    if (level === 'root' && metadata && saysMore(metadata)) {
      const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
      found.push(forbidden(propertyPath(path, 'metadata'), detail));
    }
  }
  if (embedded && !schema['x-kubernetes-preserve-unknown-fields'] && Object.keys(properties).length === 0) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    found.push(required(child(path, 'properties'), detail));
  }
  return found;
}

/** Whether a root's metadata is more than an object with a name. */
const saysMore = ({ properties = {}, ...rest }: Schema): boolean =>
  Object.keys(properties).some((name) => name !== 'name' && name !== 'generateName') ||
  Object.keys(rest).some((keyword) => keyword !== 'type' && keyword !== 'default' && keyword !== 'description');

const isIntOrString = (branches: readonly Schema[] | undefined): boolean =>
  deepEqual(branches, [{ type: 'integer' }, { type: 'string' }]);

/** The places where int-or-string may say so in words. */
interface Excused {
  readonly anyOf?: boolean;
  /** In the first of them. */
  readonly allOf?: boolean;
}

/** Of what is demanded of a value: patterns, and schemas within compositions. */
function demandFlaws(schema: Schema, path: FieldPath, excused: Excused): readonly Cause[] {
  const { anyOf = [], allOf = [], oneOf = [], not, pattern } = schema;
  const branches = (name: string, schemas: readonly Schema[]): readonly Cause[] =>
    schemas.flatMap((branch, index) => {
      const anyOfExcused = name === 'allOf' && index === 0 && excused.allOf === true;
      return branchFlaws(branch, `${child(path, name)}[${index}]`, { anyOf: anyOfExcused });
    });
  return [
    ...(excused.anyOf ? [] : branches('anyOf', anyOf)),
    ...branches('allOf', allOf),
    ...branches('oneOf', oneOf),
    ...(not ? branchFlaws(not, child(path, 'not'), {}) : []),
    ...(pattern ? patternFlaw(pattern, child(path, 'pattern')) : []),
  ];
}

function patternFlaw(pattern: string, path: FieldPath): readonly Cause[] {
  try {
    goRegExp(pattern);
    return [];
  } catch (error) {
    const why = `must be a valid regular expression, but isn't: error parsing regexp: ${(error as Error).message}`;
    return [invalidValue(path, pattern, why)];
  }
}

const unsaid = {
  type: 'must be empty to be structural',
  default: 'must be undefined to be structural',
  title: 'must be empty to be structural',
  description: 'must be empty to be structural',
  nullable: 'must be false to be structural',
  additionalProperties: 'must be undefined to be structural',
  'x-kubernetes-preserve-unknown-fields': 'must be false to be structural',
  'x-kubernetes-embedded-resource': 'must be false to be structural',
  'x-kubernetes-int-or-string': 'must be false to be structural',
  'x-kubernetes-list-map-keys': 'must be empty to be structural',
  'x-kubernetes-list-type': 'must be undefined to be structural',
  'x-kubernetes-map-type': 'must be undefined to be structural',
  'x-kubernetes-validations': 'must be empty to be structural',
} as const;

/** Of a schema within a composition: it may demand, not describe. */
function branchFlaws(schema: Schema, path: FieldPath, excused: Excused): readonly Cause[] {
  const { items, properties = {} } = schema;
  return [
    ...demandFlaws(schema, path, excused),
    ...(items ? branchFlaws(items, child(path, 'items'), {}) : []),
    ...Object.entries(properties).flatMap(([name, at]) => branchFlaws(at, propertyPath(path, name), {})),
    ...Object.entries(unsaid).flatMap(([keyword, detail]) =>
      schema[keyword as keyof Schema] ? [forbidden(child(path, keyword), detail)] : [],
    ),
    ...(Object.hasOwn(properties, 'metadata')
      ? [forbidden(propertyPath(path, 'metadata'), 'must not be specified in a nested context')]
      : []),
  ];
}

interface Places {
  readonly at: FieldPath;
  readonly demandedAt: FieldPath;
}

/** What compositions demand of values that the schema does not describe. */
function incomplete(demanded: Schema, described: Schema, { at, demandedAt }: Places): readonly Cause[] {
  const branches = (['allOf', 'anyOf', 'oneOf'] as const).flatMap((name) =>
    (demanded[name] ?? []).map((branch, index) => [branch, `${child(demandedAt, name)}[${index}]`] as const),
  );
  const not = demanded.not ? [[demanded.not, child(demandedAt, 'not')] as const] : [];
  return [...not, ...branches].flatMap(([branch, path]) =>
    branchIncomplete(branch, described, { at, demandedAt: path }),
  );
}

function branchIncomplete(demanded: Schema, described: Schema | undefined, places: Places): readonly Cause[] {
  const { at, demandedAt } = places;
  if (!described) return [required(at, `because it is defined in ${demandedAt}`)];
  const items = demanded.items
    ? branchIncomplete(demanded.items, described.items, {
        at: child(at, 'items'),
        demandedAt: child(demandedAt, 'items'),
      })
    : [];
  const properties = Object.entries(demanded.properties ?? {}).flatMap(([name, schema]) => {
    const known = Object.hasOwn(described.properties ?? {}, name) ? described.properties?.[name] : undefined;
    return branchIncomplete(schema, known, { at: propertyPath(at, name), demandedAt: propertyPath(demandedAt, name) });
  });
  return [...incomplete(demanded, described, places), ...items, ...properties];
}
