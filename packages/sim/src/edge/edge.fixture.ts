/** An edge plane with Gateways, and a hook that can be told how to answer. */
import { createApiServer } from '@lifeline/apiserver';
import { EndpointSlice, Gateway, HTTPRoute, seeded, Service } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { type Client, createClient } from '@lifeline/k8s';
import { kindsOfRole } from '../plane-roles.ts';
import { EnvoyGateway } from './envoy-gateway.ts';
import type { Hook, HookCall, HookCode } from './hook.ts';
import { HookError } from './hook.ts';
import { virtualHostsOf, type XdsSnapshot } from './xds.ts';
import { answerBytes, requestOf } from './xds-wire.ts';

const signal = new AbortController().signal;
const write = { signal, fieldManager: 'test' };
export const namespace = 'default';
export const stampKey = 'gateway.envoyproxy.io/lifeline-intent';

/** What a call saw: its time, and the stamps in it by Gateway. */
export interface Asked {
  readonly at: number;
  readonly stamps: Readonly<Record<string, string>>;
  readonly bytes: number;
}

export class Edge implements Disposable {
  readonly clock = new VirtualClock();
  readonly asked: Asked[] = [];
  readonly calls: HookCall[] = [];
  readonly gateway: EnvoyGateway;
  /** How long an answer takes. */
  takesMs = 0;
  /** What comes instead of an answer, as long as there is something. */
  readonly failures: HookCode[] = [];
  listens = true;
  answer: (snapshot: XdsSnapshot) => XdsSnapshot = (snapshot) => snapshot;
  readonly #client: Client;
  readonly #api = createApiServer({ clock: this.clock, random: seeded('edge api'), kinds: kindsOfRole('edge') });

  constructor({ merged = false } = {}) {
    this.#client = createClient({
      transport: this.#api.transport,
      baseUrl: 'https://edge.test',
      clock: this.clock,
      random: seeded('edge client'),
      userAgent: 'test',
    });
    this.gateway = new EnvoyGateway({
      merged,
      clock: this.clock,
      random: seeded('edge'),
      api: this.#api,
      hooks: () => (this.listens ? [this.#hook] : []),
    });
    this.gateway.observers.add((call) => this.calls.push(call));
  }

  readonly #hook: Hook = async ({ bytes }, { signal: life }) => {
    const snapshot = requestOf(bytes);
    this.asked.push({ at: this.clock.monotonic(), stamps: stampsOf(snapshot), bytes: bytes.length });
    if (this.takesMs > 0) await this.clock.sleep(this.takesMs, life);
    const failure = this.failures.shift();
    if (failure) throw new HookError(failure, 'as the test wants it');
    return answerBytes(this.answer(snapshot));
  };

  /** A Gateway with a route for one host to one backend. */
  async serve(name: string, host = `${name}.example.com`): Promise<void> {
    const metadata = { namespace, name };
    await this.#client.create(Service, { metadata, spec: { ports: [{ port: 8080 }] } }, write);
    await this.#client.create(
      EndpointSlice,
      {
        metadata: { ...metadata, labels: { 'kubernetes.io/service-name': name } },
        addressType: 'FQDN',
        endpoints: [{ addresses: ['connector.local'] }],
        ports: [{ port: 8080 }],
      },
      write,
    );
    await this.#client.create(
      HTTPRoute,
      {
        metadata,
        spec: {
          parentRefs: [{ name }],
          hostnames: [host],
          rules: [{ backendRefs: [{ name, port: 8080 }] }],
        },
      },
      write,
    );
    await this.#client.create(
      Gateway,
      { metadata, spec: { gatewayClassName: 'eg', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] } },
      write,
    );
  }

  annotate(
    name: string,
    annotations: Readonly<Record<string, string>>,
    kind: typeof Gateway | typeof HTTPRoute = Gateway,
  ): Promise<unknown> {
    const patch = { type: 'merge', body: { metadata: { annotations } } } as const;
    return this.#client.patch({ kind: kind as typeof Gateway, name: { namespace, name } }, patch, write);
  }

  label(name: string, labels: Readonly<Record<string, string>>): Promise<unknown> {
    const patch = { type: 'merge', body: { metadata: { labels } } } as const;
    return this.#client.patch({ kind: Gateway, name: { namespace, name } }, patch, write);
  }

  stamp(name: string, value: string): Promise<unknown> {
    return this.annotate(name, { [stampKey]: value });
  }

  hosts(name: string, hostnames: readonly string[]): Promise<unknown> {
    const patch = { type: 'merge', body: { spec: { hostnames } } } as const;
    return this.#client.patch({ kind: HTTPRoute, name: { namespace, name } }, patch, write);
  }

  /** Time passes; what was asked in it. */
  async after(ms: number): Promise<readonly Asked[]> {
    const from = this.asked.length;
    await this.clock.advance(ms);
    return this.asked.slice(from);
  }

  [Symbol.dispose](): void {
    this.gateway[Symbol.dispose]();
    this.#api[Symbol.dispose]();
  }
}

function stampsOf(snapshot: XdsSnapshot): Record<string, string> {
  const stamps: Record<string, string> = {};
  for (const { metadata } of virtualHostsOf(snapshot)) {
    const [entry] = (metadata?.filter_metadata?.['envoy-gateway']?.['resources'] ?? []) as {
      name: string;
      annotations?: Record<string, string>;
    }[];
    const stamp = entry?.annotations?.['lifeline-intent'];
    if (entry && stamp !== undefined) stamps[entry.name] = stamp;
  }
  return stamps;
}
