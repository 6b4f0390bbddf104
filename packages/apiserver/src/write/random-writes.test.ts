import { deepEqual, type JsonObject, type JsonValue, type ObjectMeta } from '@lifeline/core';
import { seeded } from '@lifeline/core/testing';
import type { Random } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import type { Revision } from '../storage/store.ts';
import {
  type Answer,
  configMap,
  configMaps,
  gadget,
  gadgets,
  widget,
  widgets,
  type WritePlane,
  writePlane,
} from './write-plane.fixture.ts';

/**
 * What holds of any sequence of writes, seen on the revisions of the store:
 * 1. Each revision is the next number, and the object carries it.
 * 2. What follows on an object under its name is that object (same uid, creation and name), until it is deleted; then it is another.
 * 3. The generation never goes back; it goes up with the spec and with the mark of deletion, and with nothing else.
 * 4. What is marked stays marked, takes no new finalizers, and goes only when it has none.
 * 5. No write leaves everything as it was.
 * 6. A refused write, and a dry run, write nothing.
 */
class Judge {
  readonly #living = new Map<string, JsonObject & { metadata: ObjectMeta }>();
  #last: number;
  revisions = 0;

  constructor(revision: number) {
    this.#last = revision;
  }

  judge({ revision, type, resource, object, previous }: Revision): void {
    this.revisions++;
    expect(revision).toBe(this.#last + 1);
    expect(object.metadata.resourceVersion).toBe(String(revision));
    this.#last = revision;
    const key = `${resource} ${object.metadata.name}`;
    const known = this.#living.get(key);
    expect(previous).toBe(known);
    expect(type).toBe(known ? (type === 'DELETED' ? 'DELETED' : 'MODIFIED') : 'ADDED');
    if (known) this.#successor(known as never, object, type);
    else expect(object.metadata.deletionTimestamp).toBeUndefined();
    if (type === 'DELETED') this.#living.delete(key);
    else this.#living.set(key, object);
  }

  #successor(old: Stored, next: Stored, type: Revision['type']): void {
    const [before, after] = [old.metadata, next.metadata];
    expect([after.uid, after.name, after.creationTimestamp]).toEqual([
      before.uid,
      before.name,
      before.creationTimestamp,
    ]);
    if (type === 'DELETED') return;
    const marked = !before.deletionTimestamp && !!after.deletionTimestamp;
    const counts = before.generation !== undefined;
    const desired =
      !deepEqual(old.spec ?? null, next.spec ?? null) ||
      (next.kind === 'Gadget' && !deepEqual(old.status ?? null, next.status ?? null));
    if (counts) expect(Number(after.generation) - Number(before.generation)).toBe((marked ? 1 : 0) + (desired ? 1 : 0));
    if (before.deletionTimestamp) {
      expect(after.deletionTimestamp).toBe(before.deletionTimestamp);
      for (const name of after.finalizers ?? []) if (name.includes('/')) expect(before.finalizers).toContain(name);
    }
    if (after.deletionTimestamp) expect(after.finalizers?.length).toBeGreaterThan(0);
    expect(
      deepEqual(
        { ...old, metadata: { ...before, resourceVersion: '' } },
        { ...next, metadata: { ...after, resourceVersion: '' } },
      ),
    ).toBe(false);
  }
}

type Stored = JsonObject & { readonly metadata: ObjectMeta; readonly kind: string };

const kinds = [
  { all: widgets, make: widget },
  { all: gadgets, make: gadget },
  { all: configMaps, make: configMap },
] as const;

const oneOf = <T>(random: Random, options: readonly T[]): T => options[random.int(options.length)] as T;

/** Any change, sensible or not. */
function fieldsOf(random: Random, isConfigMap: boolean): JsonObject {
  const metadata = oneOf<JsonObject>(random, [
    {},
    { labels: { x: String(random.int(3)) } },
    { labels: { x: '!' } },
    { finalizers: oneOf<JsonValue[]>(random, [[], ['x.dev/f'], ['x.dev/f', 'x.dev/g'], ['x.dev/g']]) },
    { finalizers: null },
    { uid: 'u', generation: 9 },
    { resourceVersion: oneOf(random, ['1', 'x', '0']) },
    { creationTimestamp: null, selfLink: '/x' },
    { deletionTimestamp: '2001-02-03T04:05:06Z' },
  ]);
  const rest = oneOf<JsonObject>(
    random,
    isConfigMap
      ? [{}, { data: { x: String(random.int(3)) } }, { data: null }, { data: 'x' }]
      : [
          {},
          { spec: { size: random.int(120) } },
          { status: { phase: oneOf(random, ['x', 'y']) } },
          { spec: null },
          { spec: { unknown: 1, free: { a: 1.5 } } },
        ],
  );
  return { ...(Object.keys(metadata).length > 0 ? { metadata } : {}), ...rest };
}

async function write(plane: WritePlane, random: Random, query: string): Promise<Answer> {
  const { all, make } = oneOf(random, kinds);
  const name = oneOf(random, ['a', 'b']);
  const path = `${all}/${name}`;
  const isConfigMap = all === configMaps;
  const fields = fieldsOf(random, isConfigMap);
  switch (random.int(8)) {
    case 0:
    case 1:
      return plane.ask('POST', all, make(name, fields), { query });
    case 2: {
      const { metadata = {}, ...rest } = fields;
      const live = (await plane.ask('GET', path)).body as JsonObject & { metadata?: JsonObject };
      return plane.ask(
        'PUT',
        path,
        { ...live, ...rest, metadata: { ...live.metadata, ...(metadata as JsonObject) } },
        { query },
      );
    }
    case 3:
      return plane.merge(isConfigMap ? path : `${path}/status`, fields, query);
    case 4:
      return plane.apply(path, make(name, fields), `fieldManager=${oneOf(random, ['one', 'two'])}&force=true&${query}`);
    case 5:
      return plane.jsonPatch(
        path,
        [{ op: 'add', path: '/metadata/labels', value: { y: String(random.int(3)) } }],
        query,
      );
    case 6:
      return plane.ask('DELETE', path, undefined, {
        query: `${query}&propagationPolicy=${oneOf(random, ['Background', 'Foreground', 'Orphan'])}`,
      });
    default:
      return plane.merge(path, fields, query);
  }
}

describe('random writes', () => {
  it.each([1, 2, 3, 4, 5, 6])('keep what must hold: seed %i', async (seed) => {
    const random = seeded(`writes ${seed}`);
    using plane = await writePlane({ seed: String(seed) });
    const judge = new Judge(plane.api.revision);
    const refusals: unknown[] = [];
    const failed: unknown[] = [];
    using _ = plane.api.tap((revision) => {
      try {
        judge.judge(revision);
      } catch (error) {
        // A listener must not throw.
        failed.push(error);
      }
    });
    for (let step = 0; step < 250; step++) {
      const dryRun = random.int(5) === 0;
      const before = plane.api.revision;
      const answer = await write(plane, random, dryRun ? 'dryRun=All' : 'fieldValidation=Ignore');
      if (failed.length > 0) throw failed[0];
      expect(answer.status).toBeLessThan(501);
      if (answer.status >= 300 || dryRun) expect(plane.api.revision).toBe(before);
      if (answer.status >= 300) refusals.push(answer.status);
      if (random.int(10) === 0) await plane.clock.advance(100);
    }
    if (failed.length > 0) throw failed[0];
    // Both happen, or nothing was tried.
    expect(judge.revisions).toBeGreaterThan(50);
    expect(refusals.length).toBeGreaterThan(50);
  });
});
