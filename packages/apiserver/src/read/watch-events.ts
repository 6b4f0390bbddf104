/** What one watch tells its client, as the lines of its body. */
import { type Clock, type JsonObject, stringifyJson } from '@lifeline/core';
import type { Call } from '../http/call.ts';
import { eventBytes, eventLine, metadataEventBytes, tableOptions } from '../http/respond.ts';
import { metadataOf, tableOf } from '../http/table/table.ts';
import { present } from '../resources/spoken.ts';
import { apiVersionOf, type StoredObject, withMetadata } from '../resources/resource.ts';
import type { Revision } from '../storage/store.ts';
import { selects, selectsAll, type Selection } from './list-options.ts';

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED';

export interface WatchLines {
  /** Undefined: the client is not told. */
  revision(revision: Revision): Uint8Array | undefined;
  /** An object that is there when the watch begins; undefined when it is not selected. */
  present(stored: StoredObject): Uint8Array | undefined;
  /** @param initialEventsEnd the state of the beginning is complete with this one */
  bookmark(revision: number, initialEventsEnd?: boolean): Uint8Array;
}

/** @throws ApiError 400 */
export function watchLines(clock: Clock, call: Call, selection: Selection): WatchLines {
  const line = lineWriter(clock, call);
  const all = selectsAll(selection);
  const inNamespace = ({ metadata }: StoredObject): boolean =>
    call.namespace === undefined || metadata.namespace === call.namespace;
  return {
    revision(revision) {
      if (!inNamespace(revision.object)) return undefined;
      if (all) return line.object(revision.type, revision.object);
      const event = selectedEvent(revision, (stored) => selects(selection, call, stored));
      return event && line.object(event.type, event.stored);
    },
    present: (stored) => (all || selects(selection, call, stored) ? line.object('ADDED', stored) : undefined),
    bookmark: (revision, initialEventsEnd = false) =>
      line.bookmark({
        resourceVersion: String(revision),
        ...(initialEventsEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
      }),
  };
}

interface SelectedEvent {
  readonly type: WatchEventType;
  readonly stored: StoredObject;
}

/** An object that comes to be selected is added, one that is no longer selected is deleted: as it was, with the revision that it left. */
function selectedEvent(
  { type, object, previous }: Revision,
  selected: (stored: StoredObject) => boolean,
): SelectedEvent | undefined {
  const before = previous !== undefined && selected(previous);
  if (type === 'DELETED') return before ? { type, stored: object } : undefined;
  const after = selected(object);
  if (after) return { type: before ? 'MODIFIED' : 'ADDED', stored: object };
  const { resourceVersion } = object.metadata;
  return before ? { type: 'DELETED', stored: withMetadata(previous, { resourceVersion }) } : undefined;
}

interface LineWriter {
  object(type: WatchEventType, stored: StoredObject): Uint8Array;
  bookmark(metadata: JsonObject): Uint8Array;
}

function lineWriter(clock: Clock, call: Call): LineWriter {
  const { kind } = call.resource;
  const apiVersion = apiVersionOf(call.resource, call.version.name);
  const { output } = call;
  switch (output.as) {
    case 'Table':
      return tableLines(clock, call);
    case 'PartialObjectMetadata':
      return {
        object: (type, stored) => metadataEventBytes(call, type, stored),
        bookmark: (metadata) =>
          eventLine('BOOKMARK', stringifyJson(metadataOf({ metadata } as unknown as StoredObject, output.version))),
      };
    case 'Object':
    case 'PartialObjectMetadataList':
      return {
        object: (type, stored) => eventBytes(call, type, stored),
        bookmark: (metadata) => eventLine('BOOKMARK', stringifyJson({ kind, apiVersion, metadata })),
      };
  }
}

/** Only the first line says what the columns are. */
function tableLines(clock: Clock, call: Call): LineWriter {
  const options = tableOptions(call);
  let headers = true;
  const table = (objects: readonly StoredObject[], metadata: JsonObject): JsonObject => {
    const made = tableOf(objects, metadata, { ...options, now: clock.now(), headers });
    headers = false;
    return made;
  };
  return {
    object(type, stored) {
      const { resourceVersion } = stored.metadata;
      return eventLine(type, stringifyJson(table([present(call, stored)], { resourceVersion })));
    },
    bookmark(metadata) {
      const object = metadataOf({ metadata } as unknown as StoredObject, options.metaVersion);
      const { resourceVersion } = metadata;
      return eventLine('BOOKMARK', stringifyJson({ ...table([], { resourceVersion }), rows: [{ cells: [], object }] }));
    },
  };
}
