import { deepEqual, type ObjectName } from '@lifeline/core';
import { conflict, notFound } from '../../api-error.ts';
import { present, type Spoken } from '../../resources/spoken.ts';
import { namespaces } from '../../resources/builtin/namespace.ts';
import { type StoredObject, storedUnder, withMetadata } from '../../resources/resource.ts';
import type { Server } from '../../server-parts.ts';
import type { DeleteOptions, Preconditions } from '../delete-options.ts';
import { foregroundFinalizer, orphanFinalizer, withFinalizers } from '../finalizers.ts';
import { strategyContext, type Writer } from '../writer.ts';
import { commit } from './commit.ts';

export interface RemoveRequest {
  readonly name: ObjectName;
  readonly options: Omit<DeleteOptions, 'dryRun'>;
  readonly writer: Writer;
}

export interface Removed {
  /** The last state of what is gone, or what waits for its finalizers, as it is stored. */
  readonly object: StoredObject;
  readonly gone: boolean;
}

/**
 * Deletes an object as a DELETE does: it goes at once, or is marked and waits for its finalizers.
 * @throws ApiError 404; 409 where a precondition does not hold
 * @see kubernetes/apiserver@v0.36.3 pkg/registry/generic/registry/store.go
 */
export function remove(server: Server, spoken: Spoken, { name, options, writer }: RemoveRequest): Removed {
  const { resource } = spoken;
  const id = storedUnder(resource);
  const stored = server.store.get(id, name);
  if (!stored) throw notFound({ resource, name: name.name });
  const live = present(spoken, stored);
  const { startDeletion, isHeld } = resource.strategy;
  if (startDeletion) {
    checkPreconditions(spoken, { live, preconditions: options.preconditions, inSteps: true });
    if (!live.metadata.deletionTimestamp) {
      const marked = withMetadata(live, { deletionTimestamp: writer.author.time });
      // The collector waits for the second step of a definition: its first has nothing to do with owners.
      const waiting = resource.id === namespaces.id ? withGcFinalizers(marked, options) : marked;
      const started = startDeletion(waiting, strategyContext(server, writer));
      return { object: commit(server, spoken, { next: started, previous: stored, writer }), gone: false };
    }
    if (isHeld?.(live)) return { object: stored, gone: false };
  }
  checkPreconditions(spoken, { live, preconditions: options.preconditions, inSteps: false });
  const waiting = withGcFinalizers(live, options);
  if ((waiting.metadata.finalizers ?? []).length > 0) {
    const marked = markDeleting(waiting, writer.author.time);
    if (deepEqual(marked, live)) return { object: stored, gone: false };
    return { object: commit(server, spoken, { next: marked, previous: stored, writer }), gone: false };
  }
  return { object: writer.dryRun ? stored : server.store.remove(id, stored), gone: true };
}

/** Setting the mark is a change of what is desired. */
function markDeleting(object: StoredObject, now: string): StoredObject {
  const { deletionTimestamp, generation } = object.metadata;
  return withMetadata(object, {
    deletionGracePeriodSeconds: 0,
    ...(deletionTimestamp ? {} : { deletionTimestamp: now }),
    ...(deletionTimestamp || !generation ? {} : { generation: Number(generation) + 1 }),
  });
}

/** With the finalizers that make the garbage collector do as the options say: at the end, in place of those that are there. */
function withGcFinalizers(
  object: StoredObject,
  { orphanDependents, propagationPolicy }: RemoveRequest['options'],
): StoredObject {
  const old = object.metadata.finalizers ?? [];
  const policy = orphanDependents === undefined ? propagationPolicy : orphanDependents ? 'Orphan' : 'Background';
  const added =
    policy === undefined
      ? old.filter((name) => name === orphanFinalizer || name === foregroundFinalizer)
      : policy === 'Orphan'
        ? [orphanFinalizer]
        : policy === 'Foreground'
          ? [foregroundFinalizer]
          : [];
  const next = [...old.filter((name) => name !== orphanFinalizer && name !== foregroundFinalizer), ...added];
  if (next.length === old.length && next.every((name) => old.includes(name))) return object;
  return withFinalizers(object, next);
}

/** @param inSteps whether the resource has a delete of its own, with other words */
function checkPreconditions(
  { resource }: Spoken,
  {
    live,
    preconditions = {},
    inSteps,
  }: { live: StoredObject; preconditions: Preconditions | undefined; inSteps: boolean },
): void {
  const { name, uid = '', resourceVersion = '' } = live.metadata;
  const subject = { resource: inSteps ? resource : { ...resource, plural: resource.kind }, name };
  const wantedUid = preconditions.uid;
  if (wantedUid !== undefined && wantedUid !== uid) {
    throw conflict(
      subject,
      inSteps
        ? `Precondition failed: UID in precondition: ${wantedUid}, UID in object meta: ${uid}`
        : `the UID in the precondition (${wantedUid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
  }
  const wanted = preconditions.resourceVersion;
  if (wanted !== undefined && wanted !== resourceVersion) {
    throw conflict(
      subject,
      inSteps
        ? `Precondition failed: ResourceVersion in precondition: ${wanted}, ResourceVersion in object meta: ${resourceVersion}`
        : `the ResourceVersion in the precondition (${wanted}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    );
  }
}
