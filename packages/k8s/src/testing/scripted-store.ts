/** The state of a scripted API: objects by kind, one sequence of revisions, and the log that watches replay. */
import {
  deepFreeze,
  keyOf,
  type Kind,
  type KubeObject,
  type ObjectKey,
  parseJson,
  stringifyJson,
} from '@lifeline/core';
import { expired } from './refusal.ts';

/** A write that changed something. */
export interface ScriptedWrite {
  /** The revision it made. */
  readonly rv: number;
  readonly verb: 'create' | 'update' | 'patch' | 'apply' | 'delete';
  readonly kind: Kind;
  readonly key: ObjectKey;
  /** Field manager, else user agent. */
  readonly who: string;
  readonly subresource?: string | undefined;
  readonly old: KubeObject | undefined;
  /** Undefined when the object is gone with this write. */
  readonly object: KubeObject | undefined;
}

export interface ScriptedSnapshot {
  readonly revision: number;
  readonly tables: ReadonlyMap<string, ReadonlyMap<ObjectKey, KubeObject>>;
}

export class ScriptedStore {
  /** All of them since the start, in order, whoever made them. Not cut by compaction or restore. */
  readonly writes: ScriptedWrite[] = [];
  revision = 1;
  /** The oldest revision whose state can still be told. */
  compactedTo = 1;
  /** `log[i]` made revision `compactedTo + 1 + i`. */
  #log: ScriptedWrite[] = [];
  #tables = new Map<string, Map<ObjectKey, KubeObject>>();
  /** The last table that was asked for: pages of one list ask again and again. */
  #sorted: { readonly of: string; readonly table: ReadonlyMap<ObjectKey, KubeObject> } | undefined;
  readonly #historyLimit: number;
  readonly #changed: () => void;

  /** @param changed called after each write */
  constructor(historyLimit: number, changed: () => void) {
    this.#historyLimit = historyLimit;
    this.#changed = changed;
  }

  /** Objects of a kind now, in no order. */
  current(kind: Kind): ReadonlyMap<ObjectKey, KubeObject> {
    return this.#tables.get(kind.id) ?? new Map<ObjectKey, KubeObject>();
  }

  /** Objects of a kind as of a revision, in the order of their keys. @throws Refusal 410 */
  table(kind: Kind, revision = this.revision): ReadonlyMap<ObjectKey, KubeObject> {
    if (revision < this.compactedTo) throw expired();
    const of = `${kind.id} ${revision}`;
    if (this.#sorted?.of === of) return this.#sorted.table;
    const table = new Map(this.current(kind));
    for (const { old, key, kind: written } of this.#log.slice(revision - this.compactedTo).reverse()) {
      if (written.id !== kind.id) continue;
      if (old) table.set(key, old);
      else table.delete(key);
    }
    this.#sorted = { of, table: new Map([...table].sort(([a], [b]) => (a < b ? -1 : 1))) };
    return this.#sorted.table;
  }

  /** The write that followed a revision, if there is one yet. @throws Refusal 410 */
  after(revision: number): ScriptedWrite | undefined {
    if (revision < this.compactedTo) throw expired();
    return this.#log[revision - this.compactedTo];
  }

  /** Stores an object in place of the one of its key, or notes that it is gone. Returns it as stored, with its revision. */
  commit(write: Omit<ScriptedWrite, 'rv' | 'key' | 'old' | 'object'>, object: KubeObject, isGone = false): KubeObject {
    const rv = ++this.revision;
    const table = this.#tables.get(write.kind.id) ?? new Map<ObjectKey, KubeObject>();
    this.#tables.set(write.kind.id, table);
    // Through JSON: what is stored is what a client would read, and shares nothing with the caller.
    const text = stringifyJson({ ...object, metadata: { ...object.metadata, resourceVersion: String(rv) } });
    const stamped = deepFreeze(parseJson(text)) as unknown as KubeObject;
    const key = keyOf(stamped);
    const entry: ScriptedWrite = { ...write, rv, key, old: table.get(key), object: isGone ? undefined : stamped };
    if (isGone) table.delete(key);
    else table.set(key, stamped);
    this.writes.push(entry);
    this.#log.push(entry);
    if (this.#log.length > this.#historyLimit) this.compact(rv - Math.floor(this.#historyLimit / 2));
    this.#changed();
    return stamped;
  }

  compact(to = this.revision): void {
    this.#log.splice(0, to - this.compactedTo);
    this.compactedTo = to;
  }

  snapshot(): ScriptedSnapshot {
    return { revision: this.revision, tables: new Map([...this.#tables].map(([id, table]) => [id, new Map(table)])) };
  }

  /** The sequence of revisions goes back too. */
  restore({ revision, tables }: ScriptedSnapshot): void {
    this.#tables = new Map([...tables].map(([id, table]) => [id, new Map(table)]));
    this.#log = [];
    this.#sorted = undefined;
    this.revision = this.compactedTo = revision;
  }
}
