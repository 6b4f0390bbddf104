import { linkAbort } from '@lifeline/core';
import { feedEdgeIndex, indexWarnings, retranslation } from '@lifeline/edge';
import { defineApp, type Endpoint, type Env, fleetFactory, loadEndpoint, staticSource } from '@lifeline/k8s';
import { config, type ExtensionServerConfig } from './config.ts';
import { edgePlane } from './edge-plane.ts';
import { extensionServer } from './extension-server.ts';
import { serve } from './serve.ts';
import { FollowedCertificates } from './tls/certificates.ts';
import { TraceExporter } from './trace/trace-exporter.ts';
import { watchFolder } from './tls/watch-folder.ts';

const name = 'edge-extension-server';
const userAgent = `lifeline-${name}`;

export const app = defineApp<ExtensionServerConfig>({
  name,
  description: "answers Envoy Gateway's hook: programs connectors into what Envoy is sent",
  config,
  async start(env, settings) {
    for (const warning of indexWarnings(settings)) env.log.warn({}, warning);
    const read = await unlessStopped(env, readFiles(env, settings));
    if (!read) return;
    const { endpoint, certificates } = read;
    const source = staticSource({ [edgePlane]: { endpoint } });
    const edge = fleetFactory(env, userAgent)({ plane: edgePlane, source });
    // The edge and the certificates are followed until the last call is done.
    using following = linkAbort();
    using tracing = linkAbort();
    using running = linkAbort(env.signal);
    const { gatewayClasses: classes, namespaceLabel, sharedNodeIds, stampAnnotation } = settings;
    using feed = feedEdgeIndex({ env, edge, classes, namespaceLabel, sharedNodeIds, stampKey: stampAnnotation });
    const tracer = tracerOf(env, settings, tracing.signal);
    using server = extensionServer({ env, settings, index: feed.index, tracer });
    const background = [edge, certificates, tracer]
      .flatMap((work) => work ?? [])
      .map((work) => work.run(following.signal).catch((error: unknown) => running.abort(error)));
    const retranslating = (): Disposable =>
      retranslation({
        env,
        edge,
        classes,
        index: feed.index,
        stampAnnotation,
        reports: settings.reports,
        own: server.reports,
      });
    const opened = settings.withRetranslator ? retranslating : (): Disposable => new DisposableStack();
    try {
      await serve({ env, settings, feed, server, certificates, opened }, running.signal);
    } finally {
      following.abort(new Error('the app stops'));
      await Promise.all(background);
      tracing.abort(new Error('the app stops'));
    }
    if (running.signal.aborted && !env.signal.aborted) throw running.signal.reason as Error;
  },
});

/** @param signal closes the way to the collector: after what was left has been sent */
function tracerOf(env: Env, { traces }: ExtensionServerConfig, signal: AbortSignal): TraceExporter | undefined {
  if (!traces) return undefined;
  const { endpoint } = traces;
  const transport = env.transport({ server: endpoint }, signal);
  return new TraceExporter({ ...env, transport, endpoint, resource: { 'service.name': name } });
}

async function readFiles(
  env: Env,
  { tls, kubeconfig }: ExtensionServerConfig,
): Promise<{ endpoint: Endpoint; certificates: FollowedCertificates | undefined }> {
  return {
    endpoint: await loadEndpoint(env, kubeconfig),
    certificates: tls && (await FollowedCertificates.load(tls, { ...env, watchFolder }, env.signal)),
  };
}

/** Undefined when the app was asked to stop meanwhile. */
async function unlessStopped<T>({ signal }: Env, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
