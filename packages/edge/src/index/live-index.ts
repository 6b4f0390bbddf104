/** {@link EdgeIndex}, and how it is told what the cluster holds. */
import {
  annotations,
  type Clock,
  deepEqual,
  type HTTPProxyLike,
  noIntent,
  objectKey,
  type ObjectKey,
  type ObjectMeta,
  parseKey,
} from '@lifeline/core';
import { ConnectorTable, type SeenConnector } from './connector-table.ts';
import type { EdgeIndex, EdgeIndexListener, GatewayChange, GatewayState, ProxyProgram } from './edge-index.ts';
import { IntentHistory } from './intent-history.ts';
import { Listeners, type Tell } from './listeners.ts';
import type { SharedNodeIds } from './node-claims.ts';
import { connectorsOf, proxyProgram } from './program.ts';
import { ReverseMap } from './reverse-map.ts';

export interface LiveIndexOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Gateway classes whose Gateways are stamped. */
  readonly classes: readonly string[];
  /** Default: `gateway.envoyproxy.io/lifeline-intent`. */
  readonly stampKey?: string | undefined;
  /** Default `allow`. */
  readonly sharedNodeIds?: SharedNodeIds | undefined;
}

/** As much of a Gateway as counts. */
export interface SeenGateway {
  readonly metadata: Pick<ObjectMeta, 'annotations' | 'creationTimestamp'>;
  readonly spec?: { readonly gatewayClassName?: string } | undefined;
}

/**
 * Guarantees: after any history of calls it says what it would say had it been told the last state alone. A call costs what it changes:
 * a connector, the HTTPProxies through it and their Gateways. Nothing is computed before {@link markSynced}: what has not been listed to its
 * end is not absent.
 */
export class LiveIndex implements EdgeIndex {
  readonly #options: LiveIndexOptions;
  readonly #connectors: ConnectorTable;
  readonly #proxies = new Map<ObjectKey, HTTPProxyLike>();
  /** Connector → the HTTPProxies through it. */
  readonly #users = new ReverseMap();
  readonly #programs = new Map<ObjectKey, ProxyProgram>();
  readonly #gateways = new Map<ObjectKey, GatewayState>();
  /** Namespace → its Gateways. */
  readonly #residents = new ReverseMap();
  /** Those whose Gateways may be stamped. */
  readonly #namespaces = new Set<string>();
  readonly #history = new IntentHistory();
  readonly #listeners = new Listeners();
  #revision = 0;
  #synced = false;

  constructor(options: LiveIndexOptions) {
    this.#options = options;
    this.#connectors = new ConnectorTable(options.sharedNodeIds ?? 'allow');
  }

  get revision(): number {
    return this.#revision;
  }

  get synced(): boolean {
    return this.#synced;
  }

  proxy(key: ObjectKey): ProxyProgram | undefined {
    return this.#programs.get(key);
  }

  proxies(): Iterable<ProxyProgram> {
    return this.#programs.values();
  }

  gateway(key: ObjectKey): GatewayState | undefined {
    return this.#synced ? this.#gateways.get(key) : undefined;
  }

  gateways(): Iterable<GatewayState> {
    return this.#synced ? this.#gateways.values() : [];
  }

  intent(key: ObjectKey): string {
    return this.#programs.get(key)?.intent ?? noIntent;
  }

  intents(key: ObjectKey): readonly string[] {
    return this.#history.of(key);
  }

  subscribe(listener: EdgeIndexListener): Disposable {
    if (this.#synced) for (const tell of this.#everything()) tell(listener);
    return this.#listeners.add(listener);
  }

  /** Undefined: there is no such connector. Returns whether its liveness is another one now. */
  setConnector(key: ObjectKey, connector: SeenConnector | undefined): boolean {
    const changed = this.#connectors.set(key, connector);
    this.#commit(changed.flatMap((each) => [...this.#users.of(each)]).flatMap((user) => this.#reprogram(user)));
    return changed.includes(key);
  }

  setHTTPProxy(key: ObjectKey, proxy: HTTPProxyLike | undefined): void {
    const { namespace } = parseKey(key);
    const connectors = proxy ? [...connectorsOf(proxy)].map((name) => objectKey({ namespace, name })) : [];
    this.#users.set(key, connectors);
    if (proxy) this.#proxies.set(key, proxy);
    else this.#proxies.delete(key);
    this.#commit(this.#reprogram(key));
  }

  setGateway(key: ObjectKey, gateway: SeenGateway | undefined): void {
    this.#residents.set(key, gateway ? [namespaceOf(key)] : []);
    this.#commit(this.#putGateway(key, gateway && this.#stateOf(key, gateway)));
  }

  /** Whether the Gateways of a namespace may be stamped. */
  setNamespace(name: string, stampable: boolean): void {
    if (this.#namespaces.has(name) === stampable) return;
    if (stampable) this.#namespaces.add(name);
    else this.#namespaces.delete(name);
    this.#commit(
      [...this.#residents.of(name)].flatMap((key) => {
        const state = this.#gateways.get(key);
        return state ? this.#putGateway(key, { ...state, stampable: this.#isStampable(key, state.className) }) : [];
      }),
    );
  }

  /** Every kind has been listed to its end. */
  markSynced(): void {
    if (this.#synced) return;
    this.#synced = true;
    for (const key of this.#proxies.keys()) {
      const program = this.#program(key);
      if (!program) continue;
      this.#programs.set(key, program);
      this.#history.begin(key, program.intent);
    }
    for (const [key, state] of this.#gateways) this.#gateways.set(key, { ...state, intent: this.intent(key) });
    this.#commit([...this.#everything()]);
  }

  /** How many connectors are in each state; `unknown` are those that HTTPProxies name and that are not there. O(all): for a scrape. */
  census(): Readonly<Record<'online' | 'offline' | 'unknown', number>> {
    const count = { online: 0, offline: 0, unknown: 0 };
    for (const key of this.#connectors.keys()) count[this.#connectors.livenessOf(key).state]++;
    for (const key of this.#users.keys()) if (!this.#connectors.has(key)) count.unknown++;
    return count;
  }

  /** Node ids that connectors of different projects claim. */
  get sharedNodeIds(): number {
    return this.#connectors.sharedNodeIds;
  }

  *#everything(): Iterable<Tell> {
    for (const [key, program] of this.#programs) yield (listener) => listener.proxy?.(key, program);
    for (const [key, state] of this.#gateways) yield (listener) => listener.gateway?.(key, state, 'added');
    yield (listener) => listener.synced?.();
  }

  #commit(news: readonly Tell[]): void {
    if (!this.#synced || news.length === 0) return;
    this.#revision++;
    this.#listeners.tell(news);
  }

  #program(key: ObjectKey): ProxyProgram | undefined {
    const proxy = this.#proxies.get(key);
    if (!proxy) return undefined;
    const { namespace } = parseKey(key);
    const livenessOf = (name: string) => this.#connectors.livenessOf(objectKey({ namespace, name }));
    return proxyProgram({ key, proxy, livenessOf, now: this.#options.clock.monotonic(), old: this.#programs.get(key) });
  }

  #reprogram(key: ObjectKey): readonly Tell[] {
    if (!this.#synced) return [];
    const old = this.#programs.get(key);
    const before = this.intent(key);
    const program = this.#program(key);
    if (program === old) return [];
    if (program) this.#programs.set(key, program);
    else this.#programs.delete(key);
    const told: Tell = (listener) => listener.proxy?.(key, program);
    const intent = this.intent(key);
    if (intent !== before) this.#history.note(key, intent);
    const state = this.#gateways.get(key);
    if (!state) this.#forgetIfGone(key);
    return state ? [told, ...this.#putGateway(key, { ...state, intent })] : [told];
  }

  #putGateway(key: ObjectKey, next: GatewayState | undefined): readonly Tell[] {
    const old = this.#gateways.get(key);
    if (next) this.#gateways.set(key, next);
    else this.#gateways.delete(key);
    if (!next) this.#forgetIfGone(key);
    return changesOf(old, next).map((change) => (listener) => listener.gateway?.(key, next, change));
  }

  #forgetIfGone(key: ObjectKey): void {
    if (!this.#proxies.has(key) && !this.#gateways.has(key)) this.#history.forget(key);
  }

  #stateOf(key: ObjectKey, { metadata, spec }: SeenGateway): GatewayState {
    const className = spec?.gatewayClassName ?? '';
    return {
      key,
      className,
      createdAt: metadata.creationTimestamp ?? undefined,
      stamp: metadata.annotations?.[this.#options.stampKey ?? annotations.intent],
      stampable: this.#isStampable(key, className),
      intent: this.intent(key),
    };
  }

  #isStampable(key: ObjectKey, className: string): boolean {
    return this.#options.classes.includes(className) && this.#namespaces.has(namespaceOf(key));
  }
}

const namespaceOf = (key: ObjectKey): string => parseKey(key).namespace ?? '';

function changesOf(old: GatewayState | undefined, next: GatewayState | undefined): readonly GatewayChange[] {
  if (!old || !next) return old ? ['deleted'] : next ? ['added'] : [];
  const changes: GatewayChange[] = [];
  if (old.intent !== next.intent) changes.push('intent');
  if (old.stamp !== next.stamp) changes.push('stamp');
  if (!deepEqual({ ...old, intent: '', stamp: '' }, { ...next, intent: '', stamp: '' })) changes.push('other');
  return changes;
}
