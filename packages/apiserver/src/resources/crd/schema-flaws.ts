/** Whether a schema is one that a server can work with, beside being structural. */
import type { JsonValue } from '@lifeline/core';
import type { Cause } from '../../api-error.ts';
import { child, choiceFlaws, type FieldPath, forbidden, invalidValue, required } from '../../field-error.ts';
import type { Schema } from '../../schema/compiled-schema.ts';
import { listFlaws } from './list-flaws.ts';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** What OpenAPI and JSON Schema have and a CustomResourceDefinition may not. */
const unsupported = [
  ['id', 'id is not supported'],
  ['additionalItems', 'additionalItems is not supported'],
  ['patternProperties', 'patternProperties is not supported'],
  ['definitions', 'definitions is not supported'],
  ['dependencies', 'dependencies is not supported'],
  ['$ref', '$ref is not supported'],
] as const;

const envelope = new Set(['metadata', 'kind', 'apiVersion']);

/** What holds a schema, and what that forbids it. */
interface Context {
  readonly root?: boolean;
  /** Why there may be no default. */
  readonly noDefaults?: string;
  readonly insideEnvelope?: boolean;
}

/** @see kubernetes/apiextensions-apiserver@v0.36.3 pkg/apis/apiextensions/validation/validation.go ValidateCustomResourceDefinitionOpenAPISchema */
export function schemaFlaws(schema: Schema, path: FieldPath, context: Context = { root: true }): readonly Cause[] {
  const { root, ...inherited } = context;
  const { properties = {}, additionalProperties: rest, items, not } = schema;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const restContext = inherited.insideEnvelope
    ? { ...inherited, noDefaults: 'inside additionalProperties applying to object metadata' }
    : inherited;
  const members = Object.entries(properties).flatMap(([name, at]) => {
    const isEnvelope = (root === true || embedded) && envelope.has(name);
    return schemaFlaws(at, `${child(path, 'properties')}[${name}]`, {
      ...inherited,
      ...(isEnvelope ? { insideEnvelope: true } : {}),
      ...(isEnvelope && root ? { noDefaults: `in top-level ${name}` } : {}),
    });
  });
  return [
    ...keywordFlaws(schema, path, context),
    ...(rest !== undefined && rest !== true && Object.keys(properties).length > 0
      ? [forbidden(child(path, 'additionalProperties'), 'additionalProperties and properties are mutual exclusive')]
      : []),
    ...(typeof rest === 'object' ? schemaFlaws(rest, child(path, 'additionalProperties'), restContext) : []),
    ...members,
    ...(not ? schemaFlaws(not, child(path, 'not'), inherited) : []),
    ...(['allOf', 'oneOf', 'anyOf'] as const).flatMap((name) =>
      (schema[name] ?? []).flatMap((branch, index) => schemaFlaws(branch, `${child(path, name)}[${index}]`, inherited)),
    ),
    ...(items ? schemaFlaws(items, child(path, 'items'), inherited) : []),
    ...(schema['x-kubernetes-preserve-unknown-fields'] === false
      ? [invalidValue(child(path, 'x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined')]
      : []),
    ...mapTypeFlaws(schema, path),
    ...listFlaws(schema, path),
  ];
}

function keywordFlaws(schema: Schema, path: FieldPath, { noDefaults, insideEnvelope }: Context): readonly Cause[] {
  const type: string | undefined = schema.type;
  const at = child(path, 'type');
  const foreign = schema as Readonly<Record<string, JsonValue | undefined>>;
  return [
    ...choiceFlaws(at, type || undefined, types),
    ...(noDefaults !== undefined && schema.default !== undefined
      ? [forbidden(child(path, 'default'), `must not be set ${noDefaults}`)]
      : []),
    ...unsupported.flatMap(([name, detail]) =>
      foreign[name] === undefined ? [] : [forbidden(child(path, name), detail)],
    ),
    ...(type === 'null' ? [forbidden(at, 'type cannot be set to null, use nullable as an alternative')] : []),
    ...(Array.isArray(schema.items)
      ? [forbidden(child(path, 'items'), 'items must be a schema object and not an array')]
      : []),
    ...(insideEnvelope && schema['x-kubernetes-embedded-resource']
      ? [forbidden(child(path, 'x-kubernetes-embedded-resource'), 'must not be used inside of resource meta')]
      : []),
    ...(schema.uniqueItems
      ? [
          forbidden(
            child(path, 'uniqueItems'),
            'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
          ),
        ]
      : []),
  ];
}

function mapTypeFlaws(schema: Schema, path: FieldPath): readonly Cause[] {
  const mapType: string | undefined = schema['x-kubernetes-map-type'];
  if (mapType === undefined) return [];
  const at = child(path, 'type');
  const detail = 'must be object if x-kubernetes-map-type is specified';
  return [
    ...(schema.type === 'object' ? [] : [schema.type ? invalidValue(at, schema.type, detail) : required(at, detail)]),
    ...choiceFlaws(child(path, 'x-kubernetes-map-type'), mapType, ['atomic', 'granular']),
  ];
}
