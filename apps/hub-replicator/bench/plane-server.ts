/** Just enough of a project's API server for a bench: lists, watches and a stream of heartbeats, as bytes. */
import { bodyOf, Connector, ConnectorClass, type Kind, Lease, type Random, type Transport } from '@lifeline/core';

const utf8 = new TextEncoder();
const page = 500;
const className = 'datum-connect';

const firstRevision = 1_000_000;

interface Stream {
  push(chunk: Uint8Array): void;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Of one connector. */
interface Ids {
  readonly connector: string;
  readonly lease: string;
  readonly node: string;
}

/** A plane with so many connectors, each ready, with a Lease that its agent renews. */
export class PlaneServer {
  /** Requests that are neither lists nor watches. */
  calls = 0;
  readonly #name: string;
  readonly #count: number;
  readonly #ids: readonly Ids[];
  #leases: Stream | undefined;
  #revision = firstRevision;

  constructor(name: string, count: number, random: Random) {
    this.#name = name;
    this.#count = count;
    this.#ids = Array.from({ length: count }, () => ({
      connector: random.uuid(),
      lease: random.uuid(),
      node: random.hex(32),
    }));
  }

  readonly transport: Transport = async ({ method, url }, { signal }) => {
    const { pathname, searchParams } = new URL(url);
    const kind = [Connector, ConnectorClass, Lease].find(({ plural }) => pathname.endsWith(`/${plural}`));
    if (method !== 'GET' || !kind) {
      this.calls++;
      return answer(500, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 500 });
    }
    if (searchParams.get('sendInitialEvents') === 'true') {
      return answer(422, { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Invalid', code: 422 });
    }
    if (searchParams.get('watch') === 'true') {
      const stream = streamOf(signal);
      if (kind === Lease) this.#leases = stream;
      return { status: 200, headers: { 'content-type': 'application/json' }, body: stream.body };
    }
    return answer(200, this.#list(kind, Number(searchParams.get('continue') ?? 0)));
  };

  /** The heartbeats of connectors `from` up to `to`, as the watch sends them. */
  heartbeats(from: number, to: number): Uint8Array {
    let text = '';
    for (let i = from; i < to; i++) {
      text += JSON.stringify({ type: 'MODIFIED', object: this.#lease(i, String(++this.#revision)) }) + '\n';
    }
    return utf8.encode(text);
  }

  push(chunk: Uint8Array): void {
    this.#leases?.push(chunk);
  }

  #list(kind: Kind, from: number): object {
    const make =
      kind === Lease
        ? (i: number) => this.#lease(i, String(firstRevision - 1))
        : kind === Connector
          ? (i: number) => this.#connector(i)
          : () => ({ metadata: meta(className, 'class', '1'), spec: { controllerName: 'example.dev/tunnel' } });
    const count = kind === ConnectorClass ? 1 : this.#count;
    const to = Math.min(count, from + page);
    return {
      apiVersion: kind.apiVersion,
      kind: `${kind.kind}List`,
      metadata: { resourceVersion: String(firstRevision), ...(to < count ? { continue: String(to) } : {}) },
      items: Array.from({ length: to - from }, (_, i) => make(from + i)),
    };
  }

  #lease(i: number, revision: string): object {
    const { connector, lease } = this.#ids[i] as Ids;
    const name = this.#nameOf(i);
    const owner = { apiVersion: Connector.apiVersion, kind: Connector.kind, name, uid: connector, controller: true };
    return {
      apiVersion: Lease.apiVersion,
      kind: Lease.kind,
      metadata: {
        ...meta(name, lease, revision),
        namespace: 'default',
        ownerReferences: [owner],
        managedFields: managedBy('agent', { 'f:spec': { 'f:holderIdentity': {}, 'f:renewTime': {} } }),
      },
      spec: {
        holderIdentity: name,
        leaseDurationSeconds: 30,
        renewTime: `2026-01-01T00:00:00.${revision.slice(-6)}Z`,
      },
    };
  }

  #connector(i: number): object {
    const { connector, node } = this.#ids[i] as Ids;
    const name = this.#nameOf(i);
    return {
      metadata: {
        ...meta(name, connector, String(firstRevision - 1)),
        namespace: 'default',
        generation: 1,
        managedFields: managedBy('agent', { 'f:status': { 'f:connectionDetails': { 'f:publicKey': {} } } }),
      },
      spec: { connectorClassName: className, capabilities: [{ type: 'ConnectTCP' }] },
      status: {
        conditions: [
          condition('Accepted', 'Accepted', 'The connector class exists.'),
          condition('Ready', 'ConnectorReady', 'The agent renews its Lease.'),
        ],
        leaseRef: { name },
        connectionDetails: {
          type: 'PublicKey',
          publicKey: {
            id: node,
            discoveryMode: 'DNS',
            homeRelay: 'https://relay-1.example.com/',
            addresses: [{ address: '192.0.2.7', port: 4433 }],
          },
        },
      },
    };
  }

  #nameOf(i: number): string {
    return `connector-${this.#name}-${i}`;
  }
}

const meta = (name: string, uid: string, resourceVersion: string): object => ({
  name,
  uid,
  resourceVersion,
  creationTimestamp: '2026-01-01T00:00:00Z',
});

const managedBy = (manager: string, fieldsV1: object): readonly object[] => [
  { manager, operation: 'Update', apiVersion: 'v1', time: '2026-01-01T00:00:00Z', fieldsType: 'FieldsV1', fieldsV1 },
];

const condition = (type: string, reason: string, message: string): object => ({
  type,
  status: 'True',
  reason,
  message,
  lastTransitionTime: '2026-01-01T00:00:00Z',
  observedGeneration: 1,
});

const answer = (status: number, value: object): Awaited<ReturnType<Transport>> => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: bodyOf(utf8.encode(JSON.stringify(value))),
});

/** A body that lasts until it is aborted or returned. */
function streamOf(signal: AbortSignal): Stream {
  const held: Uint8Array[] = [];
  let wake: (() => void) | undefined;
  let open = true;
  const end = (): void => {
    open = false;
    signal.removeEventListener('abort', end);
    wake?.();
  };
  signal.addEventListener('abort', end, { once: true });
  return {
    push(chunk) {
      held.push(chunk);
      wake?.();
    },
    body: {
      [Symbol.asyncIterator]: () => ({
        async next() {
          while (open && held.length === 0) await new Promise<void>((resolve) => (wake = resolve));
          signal.throwIfAborted();
          const value = held.shift();
          return value ? { done: false, value } : { done: true, value: undefined };
        },
        return() {
          end();
          return Promise.resolve({ done: true, value: undefined });
        },
      }),
    },
  };
}
