/** Names of objects, from bytes: the same bytes give the same object, without being decoded again. */
import type { ObjectKey } from '@lifeline/core';
import { decodeText, isText, type Slice } from '../wire/text.ts';
import { hashBytes } from './hash-bytes.ts';

export interface NamedObject {
  /** `namespace/name`. */
  readonly key: ObjectKey;
  readonly namespace: string;
  readonly name: string;
}

interface Held extends NamedObject {
  readonly hash: number;
}

const firstSize = 64;
/** More than one edge has. */
const maxNames = 100_000;

/**
 * A cache by content, as a hash table with open addressing that is at most half full. What it holds never becomes wrong. It is emptied
 * when it is large, so that the names of what is gone do not pile up for ever.
 */
export class ObjectNames {
  #slots = emptySlots(firstSize);
  #count = 0;

  of(namespace: Slice, name: Slice): NamedObject {
    const hash = hashBytes(name, hashBytes(namespace));
    for (let at = hash; ; at++) {
      const held = this.#slots[at & (this.#slots.length - 1)];
      if (!held) return this.#add({ hash, ...named(namespace, name) }, namespace, name);
      if (held.hash === hash && isText(namespace, held.namespace) && isText(name, held.name)) return held;
    }
  }

  #add(object: Held, namespace: Slice, name: Slice): NamedObject {
    // Names in Kubernetes are ASCII. What is not would not be found again.
    if (!isText(namespace, object.namespace) || !isText(name, object.name)) return object;
    if (this.#count === maxNames) {
      this.#slots = emptySlots(firstSize);
      this.#count = 0;
    }
    if (2 * ++this.#count > this.#slots.length) {
      const old = this.#slots;
      this.#slots = emptySlots(2 * old.length);
      for (const held of old) if (held) this.#place(held);
    }
    this.#place(object);
    return object;
  }

  #place(object: Held): void {
    const last = this.#slots.length - 1;
    let at = object.hash & last;
    while (this.#slots[at]) at = (at + 1) & last;
    this.#slots[at] = object;
  }
}

/** A power of two, so that a hash is brought into range by its low bits. */
const emptySlots = (size: number): (Held | undefined)[] => new Array<undefined>(size).fill(undefined);

function named(namespaceBytes: Slice, nameBytes: Slice): NamedObject {
  const namespace = decodeText(namespaceBytes);
  const name = decodeText(nameBytes);
  return { key: `${namespace}/${name}`, namespace, name };
}
