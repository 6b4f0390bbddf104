/** An extension server with its retranslator: all of the app but its sockets, for which a world stands in. */
import { annotations } from '@lifeline/core';
import { type EdgeIndex, feedEdgeIndex, Peers, Retranslator, type SharedNodeIds, stamper } from '@lifeline/edge';
import { config, extensionServer, type ExtensionServerConfig } from '@lifeline/edge-extension-server';
import { fleetFactory, onlyCluster, staticSource } from '@lifeline/k8s';
import { type Launch, urlOf } from '@lifeline/sim';
import type { Servers } from './servers.ts';

export interface EdgeServerOptions {
  readonly replica: string;
  readonly plane: string;
  /** All replicas of the edge. */
  readonly replicas: readonly string[];
  readonly servers: Servers;
  readonly classes: readonly string[];
  readonly sharedNodeIds?: SharedNodeIds | undefined;
  readonly editing?: Partial<ExtensionServerConfig['edit']> | undefined;
  /** What the hook reads in place of the index: faults of ours. */
  readonly around?: ((index: EdgeIndex) => EdgeIndex) | undefined;
}

const settingsOf = ({ classes, sharedNodeIds, editing = {} }: EdgeServerOptions): ExtensionServerConfig =>
  config.parse({
    gatewayClasses: classes,
    sharedNodeIds,
    hook: { listen: ['127.0.0.1:5005'] },
    report: { listen: ['127.0.0.1:5006'] },
    edit: editing,
    reports: {},
  });

export const edgeServer = (options: EdgeServerOptions): Launch => ({
  app: 'edge-extension-server',
  async start(env) {
    const { replica, plane, replicas, servers, classes, sharedNodeIds, around } = options;
    const source = staticSource({ [plane]: { endpoint: { server: urlOf(plane) } } });
    const edge = fleetFactory(env, 'lifeline-edge-extension-server')({ plane: 'edge', source });
    using parts = new DisposableStack();
    const feed = parts.use(feedEdgeIndex({ env, edge, classes, sharedNodeIds }));
    const { index } = feed;
    env.health.ready('index', () => feed.health());
    const server = parts.use(extensionServer({ env, settings: settingsOf(options), index: around?.(index) ?? index }));
    const running = edge.run(env.signal);
    const { client, signal } = await onlyCluster(edge, env.signal);
    const write = stamper({ ...env, client, annotation: annotations.intent, signal });
    const retranslator = parts.use(new Retranslator({ ...env, index, write }));
    const peers = parts.use(new Peers({ ...env, programmed: retranslator.programmed }));
    const open = (): void => {
      server.warmUp();
      parts.use(servers.open(replica, { ...server, unconverged: () => retranslator.unconverged }));
      const others = replicas.filter((other) => other !== replica);
      peers.set([server.reports, ...others.map((other) => servers.reports(other, replica))]);
    };
    parts.use(index.subscribe({ synced: open }));
    await running;
  },
});
