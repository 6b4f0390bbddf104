/** Which events are worth a look. */
import { deepEqual, type KubeObject } from '@lifeline/core';
import type { ObjectEvent } from '../cache/informer.ts';

/** An event whose objects passed their schema. Others always get through: the key's reconcile shows them. */
export type SoundEvent<T> = Exclude<ObjectEvent<T>, { type: 'malformed' }>;

/** True lets an event through. Only ever an optimisation: the floor lets everything through. */
export type Predicate<T> = (event: SoundEvent<T>) => boolean;

/** Updates that change what `select` gives, compared by content; additions and deletions. */
export const changed =
  <T extends KubeObject>(select: (object: T) => unknown): Predicate<T> =>
  (event) =>
    event.type !== 'updated' || !deepEqual(select(event.old), select(event.object));

/** Updates of what the user wants (the spec), not of status or metadata; additions and deletions. */
export const generationChanged: Predicate<KubeObject> = changed(({ metadata }) => metadata.generation);

export const labelsChanged: Predicate<KubeObject> = changed(({ metadata }) => metadata.labels ?? {});

export const annotationsChanged: Predicate<KubeObject> = changed(({ metadata }) => metadata.annotations ?? {});

/** The beginning of a deletion. With `generationChanged` for kinds whose finalizers we hold: a deletion does not move every generation. */
export const deletionStarted: Predicate<KubeObject> = changed(({ metadata }) => metadata.deletionTimestamp ?? null);

/** Events that at least one of them lets through. */
export const anyOf =
  <T>(...predicates: readonly Predicate<T>[]): Predicate<T> =>
  (event) =>
    predicates.some((predicate) => predicate(event));

/** Events that each of them lets through. */
export const allOf =
  <T>(...predicates: readonly Predicate<T>[]): Predicate<T> =>
  (event) =>
    predicates.every((predicate) => predicate(event));
