/** An extension server with its retranslator: all of the app but its sockets, for which a world stands in. */
import { annotations, type DurationMs, edgeDefaults } from '@lifeline/core';
import { feedEdgeIndex, Peers, Retranslator, type SharedNodeIds, stamper } from '@lifeline/edge';
import { createEditor, defaultEditorSettings, Hook, ReportHub } from '@lifeline/edge-extension-server';
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
  /** Of a call. */
  readonly deadlineMs?: DurationMs | undefined;
}

export const edgeServer = (options: EdgeServerOptions): Launch => ({
  app: 'edge-extension-server',
  async start(env) {
    const { replica, plane, replicas, servers, classes, sharedNodeIds, deadlineMs } = options;
    const { clock, log, metrics } = env;
    const source = staticSource({ [plane]: { endpoint: { server: urlOf(plane) } } });
    const edge = fleetFactory(env, 'lifeline-edge-extension-server')({ plane: 'edge', source });
    using parts = new DisposableStack();
    const feed = parts.use(feedEdgeIndex({ env, edge, classes, sharedNodeIds }));
    const { index } = feed;
    env.health.ready('index', () => feed.health());
    const reports = new ReportHub({ clock, replica: env.random.uuid() });
    const editor = createEditor({ index, settings: defaultEditorSettings, clock });
    const hook = parts.use(
      new Hook({
        clock,
        log,
        metrics,
        index,
        editor,
        reports,
        concurrency: 1,
        messageLimitBytes: edgeDefaults.messageLimitBytes,
        deadlineMs,
      }),
    );
    const running = edge.run(env.signal);
    const { client, signal } = await onlyCluster(edge, env.signal);
    const write = stamper({ clock, client, log, annotation: annotations.intent, signal });
    const retranslator = parts.use(new Retranslator({ clock, log, metrics, index, write }));
    const peers = parts.use(new Peers({ ...env, programmed: retranslator.programmed }));
    const others = replicas.filter((other) => other !== replica);
    peers.set([reports, ...others.map((other) => servers.reports(other, replica))]);
    const open = (): void => {
      parts.use(servers.open(replica, { hook, reports, unconverged: () => retranslator.unconverged }));
    };
    parts.use(index.subscribe({ synced: open }));
    await running;
    reports.close();
  },
});
