/** What a world is in the end, with nothing in it that depends on when and in which order it came about. */
import { canonicalJson, type JsonObject, keyOf, kindById, KubeEvent, type KubeObject, Lease } from '@lifeline/core';
import { placeOf } from '../oracles/subject.ts';
import { kindIdOf } from '../oracles/truth.ts';
import { strangersMark } from '../faults/stranger-faults.ts';
import type { World } from '../world/world.ts';

/** Who leads, and what was said about it, may differ. */
const passing: ReadonlySet<string> = new Set([Lease.id, KubeEvent.id, 'Event']);
/** Karmada's own objects and marks hold ids, hashes and revisions of its own: what it carries is what counts. */
const karmadas = /karmada\.io(\/|$)/;

/**
 * Every object that was ever written, a line each, sorted. UIDs are replaced by the place of the object that has them, wherever they stand;
 * revisions, times and what strangers left are taken out, and so is who owns which field: it tells of the way, not of the end.
 */
export function endState(world: World): string {
  const objects = new Map<string, KubeObject>();
  for (const { plane, revision } of world.audit.writes) {
    const { object } = revision;
    const place = placeOf(plane, `${kindIdOf(object)} ${keyOf(object)}`);
    const kind = kindById(kindIdOf(object));
    const now =
      kind && !passing.has(kind.id) && !karmadas.test(kind.group)
        ? world.truth.get(plane, kind, object.metadata)
        : undefined;
    if (now) objects.set(place, now);
    else objects.delete(place);
  }
  const text = [...objects].map(([place, object]) => `${place} ${canonicalJson(lasting(object))}`).join('\n');
  // Places may hold uids, which differ from run to run.
  return withoutUids(world)(text).split('\n').sort().join('\n');
}

/** Replaces every uid by the place of the object that has it, or had it. */
export function withoutUids(world: World): (text: string) => string {
  const uids = new Map<string, string>();
  for (const { plane, revision } of world.audit.writes) {
    const { object } = revision;
    const { uid } = object.metadata;
    if (uid) uids.set(uid, `uid of ${placeOf(plane, `${kindIdOf(object)} ${keyOf(object)}`)}`);
  }
  // A place may name a uid itself, as an anchor's does, in a namespace that is named after one.
  const once = (text: string): string => text.replace(uuid, (uid) => uids.get(uid) ?? uid);
  return (text) => once(once(once(text)));
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

function lasting(object: KubeObject): JsonObject {
  const {
    resourceVersion: _r,
    creationTimestamp: _c,
    managedFields: _m,
    generation: _g,
    ...metadata
  } = object.metadata;
  const { labels, annotations, finalizers } = metadata;
  const cleaned = { ...metadata, labels: ours(labels), annotations: ours(annotations), finalizers: listed(finalizers) };
  return { ...object, metadata: cleaned } as unknown as JsonObject;
}

/** Empty is as good as absent. */
function listed(entries: readonly string[] | null | undefined): readonly string[] | undefined {
  const left = (entries ?? []).filter((entry) => !karmadas.test(entry));
  return left.length > 0 ? left : undefined;
}

function ours(entries: KubeObject['metadata']['labels']): JsonObject | undefined {
  const left = Object.entries(entries ?? {}).filter(([key]) => !key.startsWith(strangersMark) && !karmadas.test(key));
  return left.length > 0 ? Object.fromEntries(left) : undefined;
}
