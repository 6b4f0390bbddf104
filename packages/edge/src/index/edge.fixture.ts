/** A process that feeds an index from an edge in memory. */
import {
  annotations,
  canonicalJson,
  ConfigMap,
  Connector,
  EndpointSlice,
  formatTime,
  Gateway,
  HTTPProxy,
  KubeEvent,
  labels,
  Namespace,
  seeded,
  type Transport,
  type TransportInterceptor,
  truthNamespace,
  watermarkConfigMap,
  watermarkKey,
  watermarkShardsKey,
  watermarkText,
} from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { type ClusterProvider, createLog, fleetFactory, staticSource } from '@lifeline/k8s';
import { connection, createScriptedApi, filesOf, type ScriptedApi, SimulatedProcess } from '@lifeline/k8s/testing';
import { feedEdgeIndex, type EdgeIndexFeed } from './feed.ts';
import type { LiveIndexOptions } from './live-index.ts';
import { type ConnectorOptions, proxy, statusOf } from './scene.fixture.ts';

export const namespace = 'ns-1';

export class Edge implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly api: ScriptedApi;
  readonly process: SimulatedProcess;
  readonly feed: EdgeIndexFeed;
  readonly provider: ClusterProvider;
  /** What the process logged, a line each. */
  readonly lines: string[] = [];
  /** Comes between the process and the edge's API. */
  around: TransportInterceptor = (next) => next;
  /** Servers that are not this edge's API, by URL. */
  readonly elsewhere = new Map<string, Transport>();
  readonly #running: Promise<void>;

  constructor(settings: Partial<LiveIndexOptions> = {}) {
    const { clock } = this;
    const kinds = [Connector, HTTPProxy, Gateway, Namespace, ConfigMap, EndpointSlice, KubeEvent];
    this.api = createScriptedApi({ clock, random: seeded('edge'), kinds });
    this.process = new SimulatedProcess({
      name: 'edge',
      clock,
      random: seeded('process'),
      transport: ({ server }, life) =>
        connection(
          this.elsewhere.get(server) ?? ((request, options) => this.around(this.api.transport)(request, options)),
          life,
        ),
      files: filesOf({}),
      log: createLog({ clock, write: (line) => void this.lines.push(line) }),
    });
    const { env } = this.process;
    const edge = fleetFactory(
      env,
      'test',
    )({
      plane: 'edge',
      source: staticSource({ edge: { endpoint: { server: 'https://edge.test' } } }),
    });
    this.provider = edge;
    this.feed = feedEdgeIndex({ env, edge, classes: ['edge'], ...settings });
    this.#running = edge.run(env.signal);
  }

  /** A mapped namespace, or one that nobody labelled. */
  namespace(mapped = true): void {
    this.api.put(Namespace, {
      metadata: { name: namespace, labels: mapped ? { [labels.upstreamNamespace]: 'default' } : {} },
    });
  }

  connector(name: string, options: ConnectorOptions & { readonly observedAt?: number | undefined } = {}): void {
    const { observedAt = this.clock.now() } = options;
    this.api.put(Connector, {
      metadata: {
        namespace,
        name,
        annotations: {
          [annotations.upstreamStatus]: canonicalJson(statusOf(options) as never),
          [annotations.upstreamStatusObservedAt]: formatTime(observedAt as never),
        },
      },
      spec: { connectorClassName: 'tunnel' },
    });
  }

  proxy(name: string, ...connectors: readonly string[]): void {
    this.api.put(HTTPProxy, { metadata: { namespace, name }, spec: proxy(connectors).spec as HTTPProxy['spec'] });
  }

  gateway(name: string, stamp?: string): void {
    this.api.put(Gateway, {
      metadata: { namespace, name, annotations: stamp === undefined ? {} : { [annotations.intent]: stamp } },
      spec: { gatewayClassName: 'edge' },
    });
  }

  /** The watermark, with a beat for each shard. */
  watermark(...beats: readonly number[]): void {
    const at = formatTime(this.clock.now());
    const shards = beats.map((beat, shard) => [watermarkKey(shard), watermarkText({ beat, at, behind: [] })] as const);
    this.api.put(ConfigMap, {
      metadata: { namespace: truthNamespace, name: watermarkConfigMap },
      data: { [watermarkShardsKey]: String(beats.length), ...Object.fromEntries(shards) },
    });
  }

  /** The lines of a metric. */
  async metric(name: string): Promise<readonly string[]> {
    const text = await this.process.metrics.text();
    return text.split('\n').filter((line) => line.startsWith(name));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.process.terminate();
    await this.clock.run(this.#running, 60_000);
    this.feed[Symbol.dispose]();
  }
}
