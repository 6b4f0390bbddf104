/** An editor that remembers its last answer gives every answer that one without a memory gives. */
import { edgeReasons } from '@lifeline/core';
import type { EdgeIndex } from '@lifeline/edge';
import { recording } from '@lifeline/envoy-api/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Cursor } from '../wire/cursor.ts';
import { message } from '../wire/writer.ts';
import { textOf } from './answer-rules.fixture.ts';
import {
  acme,
  globex,
  indexOf,
  mergedProxies,
  requestBytes,
  type RequestJson,
  requestJson,
  type RuleText,
  setOnline,
} from './edit.fixture.ts';
import { type Editor, InvalidRequest } from './editor.ts';
import { requestFields } from './envoy-fields.ts';
import { Recall } from './recall.ts';
import type { Field, Run } from './request.ts';
import { ResourceTable } from './resource-table.ts';
import { scaledIndex, scaledRequest, setConnector } from './scaled.fixture.ts';
import { apply, at, change, editorOf, names, type World, worldOf } from './worlds.fixture.ts';

/** What a call can tell of itself, times aside. What the editor lets go of is written over, and so is what it was lent. */
function told(editor: Editor, request: Uint8Array) {
  const lent = request.slice();
  const edit = editor.open(lent, () => lent.fill(0xff));
  const { bytes, release, rows, counts, containedBy, indexRevision } = edit.answer();
  const text = textOf(bytes);
  release();
  return { gateways: edit.gateways, bytes: text, rows, counts, containedBy, indexRevision };
}

/** Resources come, go, move and are stamped. */
interface Move {
  readonly kind: 'drop cluster' | 'drop host' | 'swap clusters' | 'swap hosts' | 'twice' | 'stamp' | 'rename';
  readonly a: number;
  readonly b: number;
}
const move: fc.Arbitrary<Move> = fc.record({
  kind: fc.constantFrom('drop cluster', 'drop host', 'swap clusters', 'swap hosts', 'twice', 'stamp', 'rename'),
  a: fc.nat(1000),
  b: fc.nat(1000),
});

function swap(items: unknown[], a: number, b: number): void {
  if (items.length === 0) return;
  const [one, other] = [a % items.length, b % items.length];
  [items[one], items[other]] = [items[other], items[one]];
}

function moved({ clusters, routes }: RequestJson, { kind, a, b }: Move): void {
  const configuration = at(routes, a);
  const hosts = configuration?.virtual_hosts ?? [];
  const host = at(hosts, b);
  switch (kind) {
    case 'drop cluster':
      clusters.splice(a % Math.max(clusters.length, 1), 1 + (b % 3));
      return;
    case 'drop host':
      hosts.splice(b % Math.max(hosts.length, 1), 1);
      return;
    case 'swap clusters':
      swap(clusters, a, b);
      return;
    case 'swap hosts':
      swap(hosts, a, b);
      return;
    case 'twice': {
      const cluster = at(clusters, a);
      if (cluster) clusters.push(structuredClone(cluster));
      return;
    }
    case 'stamp':
      for (const resource of host?.metadata?.filter_metadata['envoy-gateway']?.resources ?? [])
        resource.annotations = { ...resource.annotations, 'lifeline-intent': `${a}` };
      return;
    case 'rename': {
      const cluster = at(clusters, a);
      if (cluster) cluster.name = `${cluster.name}/${b % 2}`;
    }
  }
}

type Step = { readonly changes: Parameters<typeof apply>[1] } | { readonly moves: Move };
const step: fc.Arbitrary<Step> = fc.oneof(
  change.map((changes) => ({ changes })),
  move.map((moves) => ({ moves })),
);

function take(world: World, each: Step): void {
  if ('moves' in each) moved(world.request, each.moves);
  else apply(world, each.changes);
}

describe('a memory of the last answer', () => {
  it('changes no byte of any answer and nothing that is told of it, whatever changes between them', () => {
    let recalled = 0;
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.array(step, { minLength: 1, maxLength: 8 }), (name, steps) => {
        const world = worldOf(name, []);
        const editor = editorOf(world.index);
        told(editor, requestBytes(world.request));
        for (const each of steps) {
          take(world, each);
          const request = requestBytes(world.request);
          expect(told(editor, request)).toEqual(told(editorOf(world.index), request));
          recalled++;
        }
      }),
      { seed: 20261130, numRuns: 150 },
    );
    expect(recalled).toBeGreaterThan(400);
  });

  it('nor when the same few connectors go and come again, while clusters and hosts change places', () => {
    const flip = fc.record({ kind: fc.constant('flip' as const), a: fc.nat(2), b: fc.nat(11) });
    const often = fc.oneof(
      { weight: 4, arbitrary: flip.map((changes) => ({ changes })) },
      { weight: 1, arbitrary: step },
    );
    const few = ['merged-20-stamped', 'many-rules', 'weighted-two-backends', 'per-backend-filters'] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...few),
        fc.array(often, { minLength: 6, maxLength: 16, size: 'max' }),
        (name, steps) => {
          const world = worldOf(name, []);
          const editor = editorOf(world.index);
          for (const each of steps) {
            take(world, each);
            const request = requestBytes(world.request);
            expect(told(editor, request)).toEqual(told(editorOf(world.index), request));
          }
        },
      ),
      { seed: 20261129, numRuns: 60 },
    );
  });

  it('and a connector that goes or comes a second time is not decided about again', () => {
    const index = indexOf();
    let asked = 0;
    const counted = new Proxy(index, {
      get(target, key) {
        if (key === 'proxy') asked++;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const editor = editorOf(counted);
    const request = recording('many-rules');
    const after = (online: boolean): { readonly answer: unknown; readonly asked: number } => {
      setOnline(index, `${globex}/site-a`, online);
      asked = 0;
      const { bytes, counts } = told(editor, request);
      return { answer: { bytes, counts }, asked };
    };
    const there = told(editor, request);
    const [gone, back, again, backAgain] = [after(false), after(true), after(false), after(true)];
    expect(back.answer).toEqual({ bytes: there.bytes, counts: there.counts });
    expect(again.answer).toEqual(gone.answer);
    expect(backAgain.answer).toEqual(back.answer);
    expect(gone.asked).toBeGreaterThan(back.asked);
    expect([again.asked, backAgain.asked]).toEqual([back.asked, back.asked]);
  });

  it('nor for calls whose answers cross', () => {
    const index = indexOf();
    const editor = editorOf(index);
    const requests = ['many-rules', 'weighted-two-backends', 'many-rules', 'one-gateway-http'].map((name) =>
      recording(name),
    );
    const want = requests.map((request) => told(editorOf(index), request).bytes);
    editor.open(recording('many-rules')).answer();
    const opened = requests.map((request) => editor.open(request));
    expect(opened.map((edit) => textOf(edit.answer().bytes))).toEqual(want);
    expect(opened.map((edit) => textOf(edit.answer().bytes))).toEqual(want);
  });

  it('nor when a connector breaks in one place: what leads through it elsewhere goes offline too', () => {
    const proxies = Object.fromEntries(
      Object.keys(mergedProxies(requestJson('merged-20'))).map((key) => [
        key,
        [{ backends: [['http://localhost:8080', 'shared']] }] as RuleText[],
      ]),
    );
    const sound = indexOf({ proxies });
    const [first = ''] = Object.keys(proxies);
    const program = sound.proxy(first);
    // As no index ever says it: a tunnel to nowhere.
    const broken = program && {
      ...program,
      rules: program.rules.map((rule) => ({
        ...rule,
        backends: rule.backends.map((each) => each && { ...each, nodeId: '' }),
      })),
    };
    let isBroken = false;
    const index = {
      revision: 1,
      synced: true,
      intent: (key: string) => sound.intent(key),
      gateway: (key: string) => sound.gateway(key),
      proxy: (key: string) => (isBroken && key === first ? broken : sound.proxy(key)),
    } as EdgeIndex;
    const request = recording('merged-20');
    const editor = editorOf(index);
    const before = told(editor, request);
    isBroken = true;
    const after = told(editor, request);
    expect(after).toEqual(told(editorOf(index), request));
    expect(after.counts.clustersOffline - before.counts.clustersOffline).toBeGreaterThan(1);
    isBroken = false;
    expect(told(editor, request)).toEqual(before);
  });

  it.each([
    { who: 'has a domain of its own', own: true },
    { who: 'has no other and leaves', own: false },
  ])('nor when a domain was contested: the loser, who $who, has it again when the other is gone', ({ own }) => {
    const request = requestJson('merged-20');
    const hosts = request.routes[0]?.virtual_hosts ?? [];
    for (const [i, host] of hosts.entries())
      host.domains = [...(i < 2 ? ['contested'] : []), ...(own || i >= 2 ? [`own-${i}`] : [])];
    const index = indexOf({ proxies: mergedProxies(request) });
    const editor = editorOf(index);
    const first = requestBytes(request);
    const want = told(editorOf(index), first);
    expect(want.containedBy).toEqual(new Map([[edgeReasons.duplicateDomain, 1]]));
    for (const place of [0, 1]) {
      expect([told(editor, first), told(editor, first)]).toEqual([want, want]);
      const rest = structuredClone(request);
      rest.routes[0]?.virtual_hosts?.splice(place, 1);
      expect(told(editor, requestBytes(rest))).toEqual(told(editorOf(index), requestBytes(rest)));
    }
  });

  it('nor when a request is refused: what cannot be read is refused in the same step, whatever was answered before', () => {
    const request = message((out) => out.bytes(requestFields.clusters, Uint8Array.of(0xff))).slice();
    const index = indexOf();
    const remembering = editorOf(index);
    told(remembering, recording('many-rules'));
    for (const editor of [editorOf(index), remembering]) {
      const edit = editor.open(request);
      expect(() => edit.answer()).toThrow(InvalidRequest);
    }
  });

  it('nor does it matter how many there are: each of 300 offline connectors is a 503, from the first call on', () => {
    const index = scaledIndex(300);
    for (let i = 0; i < 300; i++) setConnector(index, i, false);
    const editor = editorOf(index);
    const calls = [1, 2].map(() => told(editor, scaledRequest(300)));
    for (const { counts } of calls) expect(counts).toMatchObject({ connectorOfflineRoutes: 300, clustersOffline: 300 });
    expect(calls[1]).toEqual(calls[0]);
  });

  it('an answer stands until it is released, however many are written meanwhile; then its memory is used again', () => {
    const index = indexOf();
    const editor = editorOf(index);
    const next = (name = 'one-gateway-http') => editor.open(recording(name)).answer();
    const first = next();
    const before = textOf(first.bytes);
    setOnline(index, `${acme}/laptop-7`, false);
    const others = [next(), next('many-rules'), next()];
    expect(textOf(first.bytes)).toBe(before);
    for (const { release } of [first, ...others]) release();
    const memory = new Set<unknown>();
    for (let call = 0; call < 10; call++) {
      const answer = next();
      memory.add(answer.bytes.buffer);
      answer.release();
    }
    expect(memory.size).toBe(2);
  });

  it('a request is read until the next one is answered, and no longer', () => {
    const editor = editorOf(indexOf());
    const forgotten: number[] = [];
    const next = (call: number) => editor.open(recording('one-gateway-http'), () => forgotten.push(call));
    const first = next(0);
    const second = next(1);
    first.answer();
    expect(forgotten).toEqual([]);
    second.answer();
    expect(forgotten).toEqual([0]);
    next(2).answer();
    expect(forgotten).toEqual([0, 1]);
  });
});

describe('Recall', () => {
  /** Fields of a message: resources by name and content, or, as a number, something that is none. */
  type Fields = readonly (string | number)[];
  const listOf = (fields: Fields) =>
    message((out) => {
      for (const each of fields) {
        if (typeof each === 'number') out.uint(5, each);
        else {
          const [name = '', rest = ''] = each.split(' ');
          out.begin(4);
          if (name) out.text(1, name);
          out.text(2, rest);
          out.end();
        }
      }
    }).slice();
  const fieldsOf = (bytes: Uint8Array): Field[] => {
    const found: Field[] = [];
    for (const at = new Cursor(bytes); at.next();)
      if (at.isBytes(4)) found.push({ start: at.start, from: at.from, to: at.to });
    return found;
  };

  /** `[first, count]` of each run, in order; `[-1, 1]` for one that is not held. */
  function runsOf(held: Fields, now: Fields): readonly (readonly number[])[] {
    const bytes = listOf(held);
    const table = new ResourceTable<number>();
    for (const [i, field] of fieldsOf(bytes).entries()) table.add(i, field, field);
    const recall = new Recall<number>(1);
    recall.hold(table, bytes);
    recall.rewind();
    const runs: Run[] = [];
    for (const at = new Cursor(listOf(now)); at.next();) if (at.isBytes(4)) runs.push(recall.run(at));
    return runs.map((run) => [run.held, run.count]);
  }

  it('finds in one piece what stands where it stood, and in pieces what has moved', () => {
    expect(runsOf(['a', 'b', 'c', 'd'], ['a', 'b', 'c', 'd'])).toEqual([[0, 4]]);
    expect(runsOf(['a', 'b', 'c', 'd'], ['a', 'c', 'd', 'b'])).toEqual([
      [0, 1],
      [2, 2],
      [1, 1],
    ]);
  });

  it('goes on behind one that has changed', () => {
    expect(runsOf(['a', 'b one', 'c', 'd'], ['a', 'b two', 'c', 'd'])).toEqual([
      [0, 1],
      [-1, 1],
      [2, 2],
    ]);
  });

  it('finds in one piece all that is the same up to where it changes', () => {
    const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    for (let at = 1; at < many.length; at++)
      expect(runsOf(many, many.with(at, 'x'))).toEqual([[0, at], [-1, 1], ...(at < 7 ? [[at + 1, 7 - at]] : [])]);
  });

  it('does not find what differs by a byte, has another name, or no name', () => {
    expect(runsOf(['a one'], ['a onE'])).toEqual([[-1, 1]]);
    expect(runsOf(['a one'], ['a more'])).toEqual([[-1, 1]]);
    expect(runsOf(['a one'], ['c one'])).toEqual([[-1, 1]]);
    expect(runsOf(['a one', 'b'], [' one'])).toEqual([[-1, 1]]);
  });

  it('takes for one piece only what nothing stands between', () => {
    expect(runsOf(['a', 7, 'b', 'c'], ['a', 7, 'b', 'c'])).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect(runsOf(['a', 7, 'b'], ['a', 'b'])).toEqual([
      [0, 1],
      [1, 1],
    ]);
    expect(runsOf(['a', 'b'], ['a', 7, 'b'])).toEqual([
      [0, 1],
      [1, 1],
    ]);
  });

  it('of two with one name finds one that is equal, or none', () => {
    expect(runsOf(['a one', 'a two'], ['a one', 'a two'])).toEqual([[0, 2]]);
    const [[found] = []] = runsOf(['a one', 'a two', 'b'], ['a two']);
    expect([-1, 1]).toContain(found);
  });

  it('holds nothing at first', () => {
    expect(runsOf([], ['a', 'b'])).toEqual([
      [-1, 1],
      [-1, 1],
    ]);
  });

  it('finds every resource that comes again behind the one it stood behind, whatever else changes', () => {
    const resource = fc.record({ name: fc.nat(60), rest: fc.nat(1) }).map(({ name, rest }) => `n${name} ${rest}`);
    const list = fc.uniqueArray(resource, { maxLength: 50, size: 'max', selector: (each) => each.split(' ')[0] });
    fc.assert(
      fc.property(list, fc.array(fc.tuple(fc.nat(49), resource), { maxLength: 6 }), fc.nat(3), (held, changes, cut) => {
        const now = held.slice(cut);
        for (const [at, other] of changes) if (at < now.length) now.splice(at, 1, other);
        const found = runsOf(held, now).flatMap(([first = 0, count = 0]) =>
          Array.from({ length: count }, (_, i) => (first < 0 ? undefined : held[first + i])),
        );
        expect(found).toHaveLength(now.length);
        for (const [i, each] of now.entries()) {
          if (found[i] !== undefined) expect(found[i]).toBe(each);
          // Names are each there once in what is held, so that nothing equal can be missed.
          else expect(held).not.toContain(each);
        }
      }),
      { seed: 20261129, numRuns: 300 },
    );
  });
});
