/** A kind's zod schema as the structural OpenAPI v3 schema of a CustomResourceDefinition. */
import type { z } from 'zod';
import type { Kind } from '../kinds/kind.ts';
import { type ServerRules, serverRules } from '../kinds/server-rules.ts';

/** `JSONSchemaProps`, as far as we write it. */
export interface StructuralSchema {
  description?: string;
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  format?: string;
  'x-kubernetes-int-or-string'?: true;
  'x-kubernetes-preserve-unknown-fields'?: true;
  'x-kubernetes-map-type'?: 'atomic';
  'x-kubernetes-list-type'?: 'map';
  'x-kubernetes-list-map-keys'?: readonly string[];
  enum?: readonly (string | number)[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  default?: unknown;
  'x-kubernetes-validations'?: readonly { rule: string; message: string }[];
  required?: readonly string[];
  properties?: Record<string, StructuralSchema>;
  additionalProperties?: StructuralSchema;
  items?: StructuralSchema;
}

/** A schema uses something that a structural schema cannot say. The message names the kind and the path. */
export class UnrepresentableError extends Error {
  override readonly name = 'UnrepresentableError';
}

export interface StructuralOptions {
  /** Every object keeps fields that the schema does not name. For kinds whose shapes we know only in part. */
  readonly open: boolean;
}

/** @throws UnrepresentableError also when a list map of the descriptor is no list of the schema */
export function structuralSchema(kind: Kind, options: StructuralOptions): StructuralSchema {
  const unusedListMaps = new Set(Object.keys(kind.listMapKeys));
  const root = nodeOf(kind.schema, '');
  const [unused] = unusedListMaps;
  if (unused !== undefined) throw new UnrepresentableError(`${kind.id}: list map ${unused} is no list of the schema`);
  return root;

  function nodeOf(schema: z.core.$ZodType, path: string): StructuralSchema {
    const { inner, rules } = unwrap(schema);
    return withRules(shapeOf(inner, path), rules);
  }

  function shapeOf(schema: z.core.$ZodTypes, path: string): StructuralSchema {
    const { def } = schema._zod;
    if (!isRepresentable(def)) {
      throw new UnrepresentableError(`${kind.id}: ${path}: no structural form of zod's ${def.type}`);
    }
    switch (def.type) {
      case 'string':
      case 'boolean':
        return { type: def.type };
      case 'enum':
        return { type: 'string', enum: Object.values(def.entries) };
      case 'number':
        return numberShape((def as z.core.$ZodNumberDef & { readonly format?: string }).format);
      case 'union':
        return unionShape(def.options, path);
      case 'unknown':
        return { 'x-kubernetes-preserve-unknown-fields': true };
      case 'record':
        return { type: 'object', additionalProperties: nodeOf(def.valueType, `${path}{}`) };
      case 'array':
        return { type: 'array', ...listMap(path), items: nodeOf(def.element, `${path}[]`) };
      case 'object':
        return objectShape(def.shape, path);
    }
  }

  function objectShape(shape: z.core.$ZodShape, path: string): StructuralSchema {
    const names = Object.keys(shape);
    if (names.length === 0) return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const required = Object.entries(shape).flatMap(([name, field]) => (unwrap(field).optional ? [] : [name]));
    const properties = Object.entries(shape).map(([name, field]): [string, StructuralSchema] => [
      name,
      // The server checks metadata itself, and a schema may not.
      path === '' && name === 'metadata' ? { type: 'object' } : nodeOf(field, path ? `${path}.${name}` : name),
    ]);
    return {
      type: 'object',
      ...(options.open && path !== '' ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
      // apiVersion, kind and metadata of the whole object need no mention.
      required: path === '' ? required.filter((name) => !envelope.has(name)) : required,
      properties: Object.fromEntries(properties),
    };
  }

  function listMap(path: string): StructuralSchema {
    const keys = kind.listMapKeys[path];
    unusedListMaps.delete(path);
    return keys ? { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys } : {};
  }

  function unionShape(alternatives: readonly z.core.$ZodType[], path: string): StructuralSchema {
    const types = new Set(alternatives.map((option) => (option as z.core.$ZodTypes)._zod.def.type));
    // core's `intOrString` and `quantity`, then its `int64`; `custom` is JsonNumber.
    if (types.has('number') && types.has('string')) return { 'x-kubernetes-int-or-string': true };
    if (types.has('number') && types.has('custom')) return { type: 'integer', format: 'int64' };
    throw new UnrepresentableError(`${kind.id}: ${path}: no structural form of a union of ${[...types].join(', ')}`);
  }
}

const representable = ['string', 'boolean', 'enum', 'number', 'union', 'unknown', 'record', 'array', 'object'] as const;

type Def = z.core.$ZodTypes['_zod']['def'];
type RepresentableDef = Extract<Def, { readonly type: (typeof representable)[number] }>;

const isRepresentable = (def: Def): def is RepresentableDef => (representable as readonly string[]).includes(def.type);

const envelope = new Set(['apiVersion', 'kind', 'metadata']);

const numberShape = (format: string | undefined): StructuralSchema => {
  if (format === 'int32') return { type: 'integer', format };
  return format === undefined ? { type: 'number' } : { type: 'integer' };
};

interface Unwrapped {
  readonly inner: z.core.$ZodTypes;
  readonly rules: ServerRules;
  readonly optional: boolean;
}

/** Without `optional` and `nullable`. Null is no value of the CRD: where a reader takes it for absent, a writer leaves the field out. */
function unwrap(schema: z.core.$ZodType): Unwrapped {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const own = serverRules.get(schema as z.ZodType) ?? {};
  if (def.type !== 'optional' && def.type !== 'nullable') {
    return { inner: schema as z.core.$ZodTypes, rules: own, optional: false };
  }
  const { inner, rules, optional } = unwrap(def.innerType);
  return { inner, rules: { ...rules, ...own }, optional: optional || def.type === 'optional' };
}

/** The shape with what only the server checks, keywords in a fixed order. */
function withRules(shape: StructuralSchema, rules: ServerRules): StructuralSchema {
  const { description, format, open, atomic, required = [], cel, ...values } = rules;
  const { type, required: shapeRequired = [], properties, additionalProperties, items, ...keywords } = shape;
  const demanded = [...new Set([...shapeRequired, ...required])];
  return {
    ...(description === undefined ? {} : { description }),
    ...(type === undefined ? {} : { type }),
    ...keywords,
    ...(format === undefined ? {} : { format }),
    ...(open ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
    ...(atomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
    ...values,
    ...(cel ? { 'x-kubernetes-validations': cel.map(({ rule, message }) => ({ rule, message })) } : {}),
    ...(demanded.length > 0 ? { required: demanded } : {}),
    ...(properties === undefined ? {} : { properties }),
    ...(additionalProperties === undefined ? {} : { additionalProperties }),
    ...(items === undefined ? {} : { items }),
  };
}
