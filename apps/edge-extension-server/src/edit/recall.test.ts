/** An editor that remembers its last answer gives every answer that one without a memory gives. */
import type { EdgeIndex } from '@lifeline/edge';
import { recording } from '@lifeline/envoy-api/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeText, sliceOf } from '../wire/text.ts';
import { message } from '../wire/writer.ts';
import { textOf } from './answer-rules.fixture.ts';
import {
  acme,
  answered,
  indexOf,
  mergedProxies,
  requestBytes,
  type RequestJson,
  requestJson,
  type RuleText,
  setOnline,
} from './edit.fixture.ts';
import type { Editor } from './editor.ts';
import { Recall } from './recall.ts';
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

  it('nor for calls whose answers cross', () => {
    const index = indexOf();
    const editor = editorOf(index);
    const requests = ['many-rules', 'weighted-two-backends', 'many-rules', 'one-gateway-http'].map((name) =>
      recording(name),
    );
    const want = requests.map((request) => told(editorOf(index), request).bytes);
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

  it('nor when a domain was contested: who lost it has it again when the other is gone', () => {
    const request = requestJson('merged-20');
    const [routes] = request.routes;
    const hosts = routes?.virtual_hosts ?? [];
    for (const [i, host] of hosts.entries()) host.domains = i < 2 ? ['contested', `own-${i}`] : [`own-${i}`];
    const index = indexOf({ proxies: mergedProxies(request) });
    const editor = editorOf(index);
    const first = requestBytes(request);
    const domains = (bytes: Uint8Array) =>
      answered(bytes, index).json.routes?.flatMap((each) =>
        each.virtual_hosts?.slice(0, 2).map((host) => host.domains.length),
      );
    expect(domains(first)).toContain(1);
    told(editor, first);
    for (const place of [0, 1]) {
      const rest = structuredClone(request);
      rest.routes[0]?.virtual_hosts?.splice(place, 1);
      expect(told(editor, requestBytes(rest))).toEqual(told(editorOf(index), requestBytes(rest)));
      told(editor, first);
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
  /** A resource: its name, and whatever. */
  const part = (name: string, rest = '') =>
    message((out) => {
      out.text(1, name);
      out.text(2, rest);
    });
  function held(...resources: readonly Uint8Array[]) {
    const bytes = Buffer.concat(resources);
    let to = 0;
    const items = resources.map((each) => ({ part: { bytes, from: to, to: (to += each.length) } }));
    const recall = new Recall<(typeof items)[number]>(1);
    recall.hold(items, bytes);
    return (resource: Uint8Array, place: number): number => {
      const found = recall.find(sliceOf(resource), place);
      return found ? items.indexOf(found) : -1;
    };
  }

  it('finds what stands where it stood, has moved, or stands behind what moved', () => {
    const find = held(part('a'), part('b'), part('c'), part('d'));
    expect(find(part('a'), 0)).toBe(0);
    expect(find(part('c'), 1)).toBe(2);
    expect(find(part('d'), 2)).toBe(3);
    expect(find(part('b'), 3)).toBe(1);
  });

  it('does not find what differs by a byte, has another name, or no name', () => {
    const find = held(part('a', 'one'), part('b', 'two'));
    expect(find(part('a', 'onE'), 0)).toBe(-1);
    expect(find(part('a', 'more'), 0)).toBe(-1);
    expect(find(part('c', 'one'), 0)).toBe(-1);
    expect(find(encodeText('\u0012\u0000'), 0)).toBe(-1);
    expect(find(new Uint8Array(), 0)).toBe(-1);
  });

  it('of two with one name finds one that is equal, or none', () => {
    const find = held(part('a', 'one'), part('a', 'two'));
    expect(find(part('a', 'one'), 0)).toBe(0);
    expect(find(part('a', 'two'), 1)).toBe(1);
    expect([-1, 1]).toContain(find(part('a', 'two'), 5));
  });

  it('holds nothing at first', () => {
    expect(new Recall(1).find(sliceOf(part('a')), 0)).toBeUndefined();
  });
});
