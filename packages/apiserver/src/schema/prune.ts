import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, setOwn } from '@lifeline/core';
import type { Structure } from './structure.ts';

/** What every object has without a schema naming it. */
const envelope = new Set(['apiVersion', 'kind', 'metadata']);

/** @see kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/types.go ObjectMeta */
const metadataFields = new Set([
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
]);

/**
 * The value without fields that its structure does not know, and without nulls that are neither allowed nor stand for a default; the
 * value itself if there are none.
 * @see kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/schema/pruning/algorithm.go, defaulting/prunenulls.go
 */
export const prune = (value: JsonValue, structure: Structure): JsonValue => walk(value, structure, anywhere);

/** {@link prune} of a whole object, whose envelope is nobody's to prune. */
export const pruneObject = (object: JsonObject, structure: Structure): JsonObject =>
  walkObject(object, structure, { root: true });

/** Paths of the fields that {@link pruneObject} takes away: sorted, those in the metadata of embedded objects last. */
export function unknownFields(object: JsonObject, structure: Structure): readonly string[] {
  const found: Found = { fields: [], metadata: [] };
  walkObject(object, structure, { root: true, found });
  return [...found.fields.sort(), ...found.metadata.sort()];
}

interface Found {
  readonly fields: string[];
  readonly metadata: string[];
}

interface Walk {
  readonly root?: boolean;
  /** What the structure does not know stays, as below an open list. */
  readonly keep?: boolean;
  /** With `found`: where the value is. */
  readonly path?: string;
  readonly found?: Found;
}

const anywhere: Walk = {};

function walk(value: JsonValue, structure: Structure | undefined, at: Walk): JsonValue {
  if (isJsonObject(value)) return walkObject(value, structure, at);
  return isJsonArray(value) ? walkList(value, structure, at) : value;
}

function walkObject(object: JsonObject, structure: Structure | undefined, at: Walk): JsonObject {
  const keep = at.keep || structure?.open;
  if (keep && structure?.properties.size === 0 && !structure.rest && !structure.embedded) return object;
  let kept: Record<string, JsonValue | undefined> | undefined;
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value === undefined || (at.root && envelope.has(key))) continue;
    if (structure?.embedded && envelope.has(key)) {
      const next = key === 'metadata' ? knownMetadata(value, at) : value;
      if (next !== value) setOwn((kept ??= { ...object }), key, next);
      continue;
    }
    const member = structure && (structure.properties.get(key) ?? structure.rest);
    if (!member) {
      if (keep) continue;
      delete (kept ??= { ...object })[key];
      at.found?.fields.push(below(at, key));
    } else if (value === null) {
      if (!member.nullable && member.default === undefined) delete (kept ??= { ...object })[key];
    } else if (typeof value === 'object') {
      const next = walk(value, member, at.found ? { path: below(at, key), found: at.found } : anywhere);
      if (next !== value) setOwn((kept ??= { ...object }), key, next);
    }
  }
  return kept ?? object;
}

function walkList(list: readonly JsonValue[], structure: Structure | undefined, at: Walk): readonly JsonValue[] {
  const keep = at.keep || structure?.open;
  const items = structure?.items;
  if (keep && !items) return list;
  let kept: JsonValue[] | undefined;
  for (const [index, item] of list.entries()) {
    const next = walk(item, items, {
      ...(keep ? { keep } : {}),
      ...(at.found ? { path: `${at.path ?? ''}[${index}]`, found: at.found } : {}),
    });
    if (next !== item) (kept ??= [...list])[index] = next;
  }
  return kept ?? list;
}

/** Metadata of an embedded object: decoded by type on a real server, which drops what the type does not have. */
function knownMetadata(metadata: JsonValue, at: Walk): JsonValue {
  if (!isJsonObject(metadata)) return metadata;
  const unknown = Object.keys(metadata).filter((key) => !metadataFields.has(key));
  if (unknown.length === 0) return metadata;
  at.found?.metadata.push(...unknown.map((key) => below(at, `metadata.${key}`)));
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => metadataFields.has(key)));
}

const below = ({ path = '' }: Walk, key: string): string => (path ? `${path}.${key}` : key);
