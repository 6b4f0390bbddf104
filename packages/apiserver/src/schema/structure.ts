/** A schema as pruning, defaulting and its invariants walk it: what has nothing to do is known beforehand, and skipped whole. */
import { deepFreeze, type JsonValue } from '@lifeline/core';
import type { Schema } from './compiled-schema.ts';
import { fillDefaults } from './defaults.ts';
import { prune } from './prune.ts';

export interface Structure {
  readonly properties: ReadonlyMap<string, Structure>;
  /** Of members that are no property. Undefined: there may be none. */
  readonly rest: Structure | undefined;
  readonly items: Structure | undefined;
  /** Fields that the schema does not name stay. */
  readonly open: boolean;
  /** An object with an apiVersion, kind and metadata of its own. */
  readonly embedded: boolean;
  readonly nullable: boolean;
  /** Frozen, with the defaults of what it holds. Undefined: none. */
  readonly default: JsonValue | undefined;
  /** Whether there is a default at or below. */
  readonly hasDefaults: boolean;
  readonly listType: Schema['x-kubernetes-list-type'];
  readonly listMapKeys: readonly string[];
  /** Whether there is a list of type set or map at or below. */
  readonly hasListTypes: boolean;
  /** Whether there is an embedded object at or below. */
  readonly hasEmbedded: boolean;
  /** Whether there is a CEL rule at or below. */
  readonly hasRules: boolean;
}

/** @param schema frozen by this */
export const compileStructure = (schema: Schema): Structure => structureOf(deepFreeze(schema));

function structureOf(schema: Schema): Structure {
  const properties = new Map(Object.entries(schema.properties ?? {}).map(([name, at]) => [name, structureOf(at)]));
  const rest = restOf(schema.additionalProperties);
  const items = schema.items && structureOf(schema.items);
  const listType = schema['x-kubernetes-list-type'];
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const hasDefault = schema.default !== undefined && schema.default !== null;
  const below = [...properties.values(), ...(rest ? [rest] : []), ...(items ? [items] : [])];
  const structure: Structure = {
    properties,
    rest,
    items,
    open: schema['x-kubernetes-preserve-unknown-fields'] === true,
    embedded,
    nullable: schema.nullable === true,
    default: undefined,
    hasDefaults: hasDefault || below.some(({ hasDefaults }) => hasDefaults),
    listType,
    listMapKeys: schema['x-kubernetes-list-map-keys'] ?? [],
    hasListTypes: listType === 'set' || listType === 'map' || below.some(({ hasListTypes }) => hasListTypes),
    hasEmbedded: embedded || below.some(({ hasEmbedded }) => hasEmbedded),
    hasRules: schema['x-kubernetes-validations'] !== undefined || below.some(({ hasRules }) => hasRules),
  };
  if (!hasDefault) return structure;
  return { ...structure, default: deepFreeze(fillDefaults(prune(schema.default, structure), structure)) };
}

/** `additionalProperties: true` names members without saying what is in them. */
function restOf(schema: Schema['additionalProperties']): Structure | undefined {
  if (typeof schema === 'object') return structureOf(schema);
  return schema === true ? structureOf({ nullable: true }) : undefined;
}
