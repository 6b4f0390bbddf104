/** What Envoy Gateway says about an xDS resource: the object that it comes from. */
import { metadataNamespaces } from '@lifeline/core';
import type { Cursor } from '../wire/cursor.ts';
import { encodeText, equalBytes, type Slice } from '../wire/text.ts';
import { listValue, mapEntry, metadata as metadataFields, struct, value } from './envoy-fields.ts';
import { seekStructValue, seekValue } from './struct.ts';

/** The first entry of `filter_metadata["envoy-gateway"].resources`; there was never a second. What it does not hold is undefined. */
export interface ResourceRef {
  /** Of those that matter here. */
  kind: 'HTTPRoute' | 'Gateway' | undefined;
  namespace: Slice | undefined;
  name: Slice | undefined;
  /** Of a rule: its name. */
  sectionName: Slice | undefined;
  /** A Struct: of the object's annotations those that Envoy Gateway carries, without their prefix. */
  annotations: Slice | undefined;
}

const envoyGateway = encodeText(metadataNamespaces.envoyGateway);
const resources = encodeText('resources');

/** Of an `envoy.config.core.v3.Metadata`. */
export function readResourceRef(metadata: Cursor): ResourceRef | undefined {
  if (!seekValue(metadata, metadataFields.filterMetadata, envoyGateway)) return undefined;
  const own = metadata.enter();
  if (!seekStructValue(own, resources)) return undefined;
  const held = own.enter();
  if (!held.seek(value.list)) return undefined;
  const list = held.enter();
  while (list.next()) if (list.isBytes(listValue.values)) return readObject(list.enter());
  return undefined;
}

function readObject(first: Cursor): ResourceRef | undefined {
  if (!first.seek(value.struct)) return undefined;
  const object = first.enter();
  const ref = {
    kind: undefined,
    namespace: undefined,
    name: undefined,
    sectionName: undefined,
    annotations: undefined,
  };
  while (object.next()) if (object.isBytes(struct.fields)) readEntry(object.enter(), ref);
  return ref;
}

const kinds = (['HTTPRoute', 'Gateway'] as const).map((kind) => ({ kind, bytes: encodeText(kind) }));

const keys = (['kind', 'namespace', 'name', 'sectionName', 'annotations'] as const).map((key) => ({
  key,
  bytes: encodeText(key),
  type: key === 'annotations' ? value.struct : value.string,
}));

function readEntry(entry: Cursor, into: ResourceRef): void {
  let known: (typeof keys)[number] | undefined;
  let from = 0;
  let to = 0;
  while (entry.next()) {
    if (entry.isBytes(mapEntry.key)) known = keyOf(entry);
    else if (entry.isBytes(mapEntry.value)) ({ from, to } = entry);
  }
  if (!known || !entry.move(from, to).seek(known.type)) return;
  if (known.key === 'kind') into.kind = kindOf(entry);
  else into[known.key] = entry.slice();
}

function keyOf(at: Slice): (typeof keys)[number] | undefined {
  for (const known of keys) if (equalBytes(at, known.bytes)) return known;
  return undefined;
}

function kindOf(at: Slice): ResourceRef['kind'] {
  for (const { kind, bytes } of kinds) if (equalBytes(at, bytes)) return kind;
  return undefined;
}
