/** The objects of one kind in one plane, as its reflector last learnt of them. */
import { deepEqual, type KubeObject, type ObjectKey, type ObjectMeta, PlatformError } from '@lifeline/core';
import type { MetadataObject } from '../client/client.ts';
import type { Admission } from './admission.ts';
import { identityOf } from './identity.ts';
import { Index } from './indexer.ts';
import type { IndexFunction, ObjectEvent, Store } from './informer.ts';
import type { Delta } from './reflector.ts';
import { isBefore, isRepeat } from './revision.ts';

/** The server holds the object in a shape that its schema refuses. */
export class MalformedObjectError extends PlatformError<'malformed-object'> {
  constructor(key: ObjectKey, reason: string) {
    super('malformed-object', `${key}: ${reason}`);
  }
}

interface Malformed {
  /** As it was sent. */
  readonly shaped: KubeObject;
  readonly object: MetadataObject;
  readonly reason: string;
}

/**
 * Invariants: a key is in `#sound` or in `#malformed`, never in both; each index files exactly the objects of `#sound`.
 *
 * Guarantees: events say exactly what changed. An object that is listed as it is held stays that very object and is told to nobody. Events
 * are made after the whole delta was taken over, so whoever hears one reads a state that has it.
 */
export class ObjectStore<T extends KubeObject> implements Store<T> {
  readonly #admission: Admission<T>;
  readonly #onIndexError: (error: unknown) => void;
  readonly #sound = new Map<ObjectKey, T>();
  readonly #malformed = new Map<ObjectKey, Malformed>();
  readonly #indexes = new Map<string, Index<T>>();

  constructor(admission: Admission<T>, onIndexError: (error: unknown) => void) {
    this.#admission = admission;
    this.#onIndexError = onIndexError;
  }

  get size(): number {
    return this.#sound.size + this.#malformed.size;
  }

  get(key: ObjectKey): T | undefined {
    const malformed = this.#malformed.get(key);
    if (malformed) throw new MalformedObjectError(key, malformed.reason);
    return this.#sound.get(key);
  }

  has(key: ObjectKey): boolean {
    return this.#sound.has(key) || this.#malformed.has(key);
  }

  *keys(): IterableIterator<ObjectKey> {
    yield* this.#sound.keys();
    yield* this.#malformed.keys();
  }

  list(): IterableIterator<T> {
    return this.#sound.values();
  }

  byIndex(index: string, value: string): readonly T[] {
    const found = this.#indexes.get(index);
    if (!found) throw new TypeError(`no index "${index}": declare it where the kind is watched`);
    return found.get(value);
  }

  malformed(): ReadonlyMap<ObjectKey, string> {
    return new Map([...this.#malformed].map(([key, { reason }]) => [key, reason]));
  }

  /** Files what is held and what comes. @throws TypeError when the name is taken by another function */
  addIndexes(indexes: Readonly<Record<string, IndexFunction<T>>>): void {
    for (const [name, of] of Object.entries(indexes)) {
      const known = this.#indexes.get(name);
      if (known && known.of !== of) throw new TypeError(`index "${name}" is declared twice, with different functions`);
      if (known) continue;
      const index = new Index(of, this.#onIndexError);
      for (const [key, object] of this.#sound) index.set(key, object);
      this.#indexes.set(name, index);
    }
  }

  /** An `added` or `malformed` for each object held: what a new subscriber missed. */
  *replay(): IterableIterator<ObjectEvent<T>> {
    for (const object of this.#sound.values()) yield { type: 'added', object };
    for (const { object } of this.#malformed.values()) yield { type: 'malformed', object };
  }

  apply(delta: Delta<T>): readonly ObjectEvent<T>[] {
    switch (delta.type) {
      case 'replaced':
        return this.#replace(delta.items);
      case 'applied': {
        const { key, resourceVersion } = identityOf(delta.object);
        const held = this.#heldAs(key)?.resourceVersion;
        return held !== undefined && isRepeat(resourceVersion, held)
          ? []
          : this.#put(key, this.#admission.shaped(delta.object));
      }
      case 'deleted': {
        const { key, resourceVersion } = identityOf(delta.object);
        // Older than what is held: of an earlier life of the key, told again. As old: a server that gives deletions no revision.
        const held = this.#heldAs(key)?.resourceVersion;
        return held !== undefined && isBefore(resourceVersion, held) ? [] : this.#drop(key);
      }
    }
  }

  #replace(items: readonly T[]): readonly ObjectEvent<T>[] {
    const gone = new Set(this.keys());
    const events: ObjectEvent<T>[] = [];
    for (const item of items) {
      const { key } = identityOf(item);
      gone.delete(key);
      const shaped = this.#admission.shaped(item);
      if (!this.#isHeld(key, shaped)) events.push(...this.#put(key, shaped));
    }
    for (const key of gone) events.push(...this.#drop(key));
    return events;
  }

  #put(key: ObjectKey, shaped: T): readonly ObjectEvent<T>[] {
    const admitted = this.#admission.judge(shaped);
    const held = this.#sound.get(key);
    const recreated = held !== undefined && held.metadata.uid !== shaped.metadata.uid;
    const old = recreated ? undefined : held;
    const before: readonly ObjectEvent<T>[] = recreated ? [{ type: 'deleted', object: held }] : [];
    if (admitted.is === 'malformed') {
      this.#unfile(key);
      this.#malformed.set(key, { ...admitted, shaped });
      return [...before, { type: 'malformed', object: admitted.object, old }];
    }
    const { object } = admitted;
    this.#malformed.delete(key);
    this.#sound.set(key, object);
    for (const index of this.#indexes.values()) index.set(key, object);
    return [...before, old ? { type: 'updated', old, object } : { type: 'added', object }];
  }

  #drop(key: ObjectKey): readonly ObjectEvent<T>[] {
    const sound = this.#sound.get(key);
    const malformed = this.#malformed.get(key);
    this.#unfile(key);
    this.#malformed.delete(key);
    if (sound) return [{ type: 'deleted', object: sound }];
    return malformed ? [{ type: 'malformed', object: malformed.object }] : [];
  }

  #unfile(key: ObjectKey): void {
    this.#sound.delete(key);
    for (const index of this.#indexes.values()) index.delete(key);
  }

  /** Compares contents, not versions: a server that was restored from a backup gives its revisions a second time. */
  #isHeld(key: ObjectKey, shaped: T): boolean {
    return deepEqual(this.#sound.get(key) ?? this.#malformed.get(key)?.shaped, shaped);
  }

  /** The metadata of what is held under a key, sound or not. */
  #heldAs(key: ObjectKey): ObjectMeta | undefined {
    return (this.#sound.get(key) ?? this.#malformed.get(key)?.object)?.metadata;
  }
}
