/**
 * The stamp on a virtual host: read, because it says what the caller has seen, and taken off, so that a nudge alone changes nothing that
 * Envoy is sent.
 */
import { gatewayAnnotationPrefix, metadataNamespaces, reachesHook } from '@lifeline/core';
import type { Cursor } from '../wire/cursor.ts';
import { encodeText } from '../wire/text.ts';
import type { Writer } from '../wire/writer.ts';
import { listValue, mapEntry, metadata as metadataFields, struct, value } from './envoy-fields.ts';
import type { ResourceRef } from './resource-ref.ts';
import { type FieldEdit, rewrite, rewriteInside } from './rewrite.ts';
import { cursorOver, hasKey, seekStructValue } from './struct.ts';

/** What Envoy Gateway makes of an annotation's key. A key that it does not carry is never seen. */
export const carriedKey = (annotation: string): Uint8Array =>
  encodeText(reachesHook(annotation) ? annotation.slice(gatewayAnnotationPrefix.length) : annotation);

/** @param key as {@link carriedKey} gives it */
export function readStamp({ annotations }: ResourceRef, key: Uint8Array): string | undefined {
  const held = annotations && cursorOver(annotations);
  if (!held || !seekStructValue(held, key)) return undefined;
  const stamp = held.enter();
  return stamp.seek(value.string) ? stamp.text() : undefined;
}

/** Writes the fields of an `envoy.config.core.v3.Metadata` without the stamp, and without annotations when that was the only one. */
export function writeWithoutStamp(out: Writer, metadata: Cursor, key: Uint8Array): void {
  const path: Path = [resourcesKey, annotationsKey, key];
  rewrite(
    out,
    metadata,
    (entry) =>
      entry.isBytes(metadataFields.filterMetadata) &&
      hasKey(entry, envoyGatewayKey) &&
      rewriteInside(
        out,
        entry,
        (held) => held.isBytes(mapEntry.value) && rewriteInside(out, held, withoutPath(out, path)),
      ),
  );
}

type Path = readonly [Uint8Array, ...Uint8Array[]];

/** Of a Struct: leaves out what stands at a path of keys, in lists in each of their items, and what would then be empty. */
function withoutPath(out: Writer, [key, ...rest]: Path): FieldEdit {
  return (entry) => {
    if (!entry.isBytes(struct.fields) || !hasKey(entry, key)) return false;
    const [next, ...after] = rest;
    if (!next || (after.length === 0 && holdsOnly(entry, next))) return true;
    const path: Path = [next, ...after];
    return rewriteInside(
      out,
      entry,
      (held) => held.isBytes(mapEntry.value) && rewriteInside(out, held, inValue(out, path)),
    );
  };
}

/** Of a Value: the same in the Struct that it is, or in those of its list. */
function inValue(out: Writer, path: Path): FieldEdit {
  return (at) => {
    if (at.isBytes(value.struct)) return rewriteInside(out, at, withoutPath(out, path));
    if (!at.isBytes(value.list)) return false;
    return rewriteInside(
      out,
      at,
      (item) => item.isBytes(listValue.values) && rewriteInside(out, item, inValue(out, path)),
    );
  };
}

/** Whether the value of an entry is a Struct with this one key. */
function holdsOnly(at: Cursor, key: Uint8Array): boolean {
  const entry = at.enter();
  if (!entry.seek(mapEntry.value)) return false;
  const held = entry.enter();
  if (!held.seek(value.struct)) return false;
  const content = held.enter();
  while (content.next()) if (!content.isBytes(struct.fields) || !hasKey(content, key)) return false;
  return true;
}

const envoyGatewayKey = encodeText(metadataNamespaces.envoyGateway);
const resourcesKey = encodeText('resources');
const annotationsKey = encodeText('annotations');
