/**
 * What a schema says about merging: which lists are sets or have keys, which maps and lists are one value, and which fields a struct has.
 * @see kubernetes/kube-openapi@43fb72c5454a pkg/schemaconv/openapi.go
 */
import { isJsonArray, isJsonObject, type JsonValue } from '@lifeline/core';
import type { Resource } from '../../resources/resource.ts';
import { metaTypes } from '../../resources/builtin/types/meta.ts';
import { schemaOf } from '../../resources/builtin/types/schema-of.ts';
import type { Schema } from '../../schema/compiled-schema.ts';

/** What a value may be. Where a schema names no type it may be all three. */
export interface MergeType {
  readonly scalar: 'numeric' | 'string' | 'boolean' | 'untyped' | undefined;
  readonly list: ListType | undefined;
  readonly map: MapType | undefined;
  /** Never looked at: `metadata.managedFields`. */
  readonly ignored: boolean;
}

export interface ListType {
  /** `atomic`: one value. Else items are known by their value (`set`) or their keys (`map`). */
  readonly kind: 'atomic' | 'set' | 'map';
  readonly keys: readonly string[];
  readonly items: MergeType;
}

export interface MapType {
  /** One value. */
  readonly atomic: boolean;
  /** The named fields of a struct. */
  readonly fields: ReadonlyMap<string, StructField>;
  /** Of what is not named. Undefined: there may be nothing else. */
  readonly rest: MergeType | undefined;
}

export interface StructField {
  readonly type: MergeType;
  readonly default: JsonValue | undefined;
}

/** Which of the three a value is treated as: as what it is, where the type allows it. */
export type Form = 'scalar' | 'list' | 'map';

export function formOf(type: MergeType, value: JsonValue): Form {
  if (isJsonArray(value)) {
    if (type.list) return 'list';
  } else if (isJsonObject(value)) {
    if (type.map) return 'map';
  } else if (value !== null && type.scalar) return 'scalar';
  return type.map ? 'map' : type.scalar ? 'scalar' : 'list';
}

/** The type of a member of a map or struct. */
export const memberType = (map: MapType, name: string): MergeType => map.fields.get(name)?.type ?? map.rest ?? untyped;

const noFields: ReadonlyMap<string, StructField> = new Map();

/** Whole, whatever it is. */
const untyped: MergeType = {
  scalar: 'untyped',
  ignored: false,
  get list(): ListType {
    return { kind: 'atomic', keys: [], items: untyped };
  },
  get map(): MapType {
    return { atomic: true, fields: noFields, rest: untyped };
  },
};

/** By what a value is: maps have members, lists are one value. */
const deduced: MergeType = {
  scalar: 'untyped',
  ignored: false,
  list: { kind: 'atomic', keys: [], items: untyped },
  get map(): MapType {
    return deducedMap;
  },
};

const deducedMap: MapType = { atomic: false, fields: noFields, rest: deduced };

const ignored: MergeType = { scalar: 'untyped', list: undefined, map: undefined, ignored: true };

const roots = new WeakMap<Schema, MergeType>();

/** Of the objects of a resource. */
export function mergeTypeOf({ schema: { schema } }: Pick<Resource, 'schema'>): MergeType {
  let type = roots.get(schema);
  if (!type) {
    type = new SchemaType(withMeta(schema), false);
    roots.set(schema, type);
  }
  return type;
}

let metaType: MergeType | undefined;

/** All objects have the same metadata, whatever a schema says of it. */
const objectMeta = (): MergeType => (metaType ??= new SchemaType(schemaOf(metaTypes.get('ObjectMeta')), false));

const text: Schema = { type: 'string' };
const metadata: Schema = {};

/** A schema of an object with apiVersion, kind and metadata of its own. */
const withMeta = (schema: Schema): Schema => ({
  ...schema,
  properties: { apiVersion: text, kind: text, ...schema.properties, metadata },
});

/** Works out what it holds when it is asked: most of a schema is never met. */
class SchemaType implements MergeType {
  readonly scalar: MergeType['scalar'];
  readonly ignored = false;
  readonly #schema: Schema;
  /** Whether unknown fields are kept, here or above. */
  readonly #open: boolean;
  #list: ListType | undefined;
  #map: MapType | undefined;

  constructor(schema: Schema, open: boolean) {
    this.#schema = schema;
    this.#open = open || schema['x-kubernetes-preserve-unknown-fields'] === true;
    this.scalar = scalarOf(schema);
  }

  get list(): ListType | undefined {
    const { type, items } = this.#schema;
    if (type !== undefined && type !== 'array') return undefined;
    return (this.#list ??= { ...listKind(this.#schema), items: items ? this.#typeOf(items) : untyped });
  }

  get map(): MapType | undefined {
    const { type } = this.#schema;
    if (type !== undefined && type !== 'object') return undefined;
    return (this.#map ??= this.#mapType());
  }

  #mapType(): MapType {
    const { properties = {}, additionalProperties } = this.#schema;
    const names = Object.keys(properties);
    const fields = new Map(names.map((name) => [name, this.#field(name, properties[name] as Schema)]));
    const atomic = this.#schema['x-kubernetes-map-type'] === 'atomic';
    if (typeof additionalProperties === 'object') return { atomic, fields, rest: this.#typeOf(additionalProperties) };
    const open = additionalProperties ?? (this.#open || names.length === 0);
    return { atomic, fields, rest: open ? deduced : undefined };
  }

  #field(name: string, schema: Schema): StructField {
    return {
      type: name === 'managedFields' && this === metaType ? ignored : this.#typeOf(schema),
      default: schema.default,
    };
  }

  #typeOf(schema: Schema): MergeType {
    if (schema === metadata) return objectMeta();
    return new SchemaType(schema['x-kubernetes-embedded-resource'] ? withMeta(schema) : schema, this.#open);
  }
}

const scalars = { string: 'string', integer: 'numeric', number: 'numeric', boolean: 'boolean' } as const;

/** Of texts with a format, any scalar will do. */
function scalarOf({ type, format = '' }: Schema): MergeType['scalar'] {
  if (type === undefined) return 'untyped';
  if (type === 'object' || type === 'array') return undefined;
  return type === 'string' && format !== '' && format !== 'byte' ? 'untyped' : scalars[type];
}

/** The list type, or for old built-in types what strategic merge patches do. */
function listKind(schema: Schema): Pick<ListType, 'kind' | 'keys'> {
  const kind = schema['x-kubernetes-list-type'];
  if (kind !== undefined) return { kind, keys: schema['x-kubernetes-list-map-keys'] ?? [] };
  if (!schema['x-kubernetes-patch-strategy']?.startsWith('merge')) return { kind: 'atomic', keys: [] };
  const key = schema['x-kubernetes-patch-merge-key'];
  return key === undefined ? { kind: 'set', keys: [] } : { kind: 'map', keys: [key] };
}
