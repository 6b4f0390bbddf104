import { applyJsonPatch, deepEqual, fieldManagers, type JsonObject, type KubeObject } from '@lifeline/core';
import { KubeError, type ScopedCluster, type Write } from '@lifeline/k8s';
import { beforeEach, describe, expect, it } from 'vitest';
import { carryStatusUp, Unkept } from './carry.ts';
import type { StatusUpInputs } from './status-up.ts';
import { pair, statusIn } from './status-up.fixture.ts';

const condition = (type: string): JsonObject => ({
  type,
  status: 'True',
  reason: 'Fine',
  message: '',
  lastTransitionTime: '2025-12-31T00:00:00Z',
});

/** One object on a server that drops status members which it does not know. */
class Server {
  held: KubeObject;
  sent: Write[] = [];
  reads = 0;
  failure: KubeError | undefined;
  readonly #unknown: readonly string[];

  constructor(held: KubeObject, unknown: readonly string[] = []) {
    this.held = held;
    this.#unknown = unknown;
  }

  get cluster(): ScopedCluster {
    const find = (): Promise<KubeObject> => {
      this.reads++;
      return Promise.resolve(this.held);
    };
    const write = (write: Write): Promise<KubeObject> => Promise.resolve(this.#take(write));
    return { name: 'p', plane: 'project', live: { find }, write } as unknown as ScopedCluster;
  }

  #take(write: Write): KubeObject {
    this.sent.push(write);
    if (this.failure) throw this.failure;
    if (write.verb !== 'patch' || write.patch.type !== 'json') throw new Error('not a JSON patch');
    const next = applyJsonPatch(this.held, write.patch.body) as unknown as KubeObject;
    const status = Object.entries(statusIn(next) as JsonObject).filter(([name]) => !this.#unknown.includes(name));
    const kept = { ...next, ...{ status: Object.fromEntries(status) } };
    if (!deepEqual(kept, this.held)) {
      const resourceVersion = String(Number(this.held.metadata.resourceVersion) + 1);
      this.held = { ...kept, metadata: { ...kept.metadata, resourceVersion } };
    }
    return this.held;
  }
}

const { signal } = new AbortController();
let unkept = new Unkept();
beforeEach(() => (unkept = new Unkept()));

/** Looks as often as that, at what the server holds. How many of the looks wrote. */
async function look(server: Server, inputs: StatusUpInputs, times = 1): Promise<number> {
  let wrote = 0;
  for (let each = 0; each < times; each++) {
    const did = await carryStatusUp({ ...inputs, upstream: server.held }, { project: server.cluster, unkept, signal });
    wrote += did ? 1 : 0;
  }
  return wrote;
}

describe('carryStatusUp', () => {
  it('writes once', async () => {
    const inputs = pair({ kind: 'Backend', hub: { conditions: [condition('Accepted')] } });
    const server = new Server(inputs.upstream);
    expect(await look(server, inputs, 100)).toBe(1);
    expect(server.sent).toHaveLength(1);
    expect(server.reads).toBe(0);
  });

  it('fields that the plane drops are not sent for ever, and are sent again when something changes', async () => {
    const hub = { conditions: [condition('Accepted')], news: 1 };
    const inputs = pair({ kind: 'Backend', hub });
    const server = new Server(inputs.upstream, ['news']);
    await look(server, inputs, 100);
    expect(server.sent).toHaveLength(2);
    expect(statusIn(server.held)).toEqual({ conditions: [condition('Accepted')] });
    await look(server, pair({ kind: 'Backend', hub: { ...hub, news: 2 } }), 100);
    expect(server.sent).toHaveLength(3);
  });

  it('a condition that the plane drops is the same at any time', async () => {
    const inputs = pair({ kind: 'Backend' });
    const server = new Server(inputs.upstream, ['conditions']);
    for (let at = 0; at < 100; at++)
      await look(server, { ...inputs, now: (inputs.now + at * 1000) as typeof inputs.now });
    expect(server.sent.length).toBeLessThanOrEqual(2);
  });

  it('reads who owns what only where conditions stand that the hub does not speak of', async () => {
    const inputs = pair({
      kind: 'Backend',
      hub: { conditions: [condition('Accepted')] },
      status: { conditions: [condition('Accepted'), condition('Dropped'), condition('Theirs')] },
    });
    const server = new Server({
      ...inputs.upstream,
      metadata: {
        ...inputs.upstream.metadata,
        managedFields: [
          {
            manager: fieldManagers.hubReplicator,
            fieldsV1: { 'f:status': { 'f:conditions': { 'k:{"type":"Dropped"}': {} } } },
          },
        ],
      },
    });
    const { managedFields: _dropped, ...metadata } = server.held.metadata;
    const cached = { ...server.held, metadata };
    await carryStatusUp({ ...inputs, upstream: cached }, { project: server.cluster, unkept, signal });
    expect(server.reads).toBe(1);
    expect(statusIn(server.held)).toEqual({ conditions: [condition('Accepted'), condition('Theirs')] });
  });

  it('does nothing when a live read shows another object', async () => {
    const inputs = pair({ kind: 'Backend', hub: {}, status: { conditions: [condition('Theirs')] } });
    const server = new Server({ ...inputs.upstream, metadata: { ...inputs.upstream.metadata, uid: 'u9' } });
    await carryStatusUp(inputs, { project: server.cluster, unkept, signal });
    expect(server.reads).toBe(1);
    expect(server.sent).toEqual([]);
  });

  it.each([
    { code: 'not-found', fails: false },
    { code: 'kind-missing', fails: false },
    { code: 'conflict', fails: true },
    { code: 'forbidden', fails: true },
    { code: 'unavailable', fails: true },
  ] as const)('$code fails the look: $fails', async ({ code, fails }) => {
    const inputs = pair({ kind: 'Backend', hub: { conditions: [condition('Accepted')] } });
    const server = new Server(inputs.upstream);
    server.failure = new KubeError(code, 'no');
    const failed = await look(server, inputs).then(
      () => false,
      () => true,
    );
    expect(failed).toBe(fails);
  });
});

describe('Unkept', () => {
  it('holds no more than it may, the newest', () => {
    const few = new Unkept(2);
    for (const uid of ['a', 'b', 'a', 'c']) few.remember(uid, 'x');
    expect(['a', 'b', 'c'].map((uid) => few.has(uid, 'x'))).toEqual([true, false, true]);
    expect(few.has('a', 'y')).toBe(false);
  });
});
