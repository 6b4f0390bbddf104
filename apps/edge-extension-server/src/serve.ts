/** The ports of the extension server, from when it has something to say until it is asked to stop. */
import type { Server } from '@grpc/grpc-js';
import { abortable, debugPaths, type DurationMs, grpcServices, hookDefaults } from '@lifeline/core';
import { type EdgeIndex, type EdgeIndexFeed, programmedPackage } from '@lifeline/edge';
import type { Env, HealthState } from '@lifeline/k8s';
import type { ExtensionServerConfig } from './config.ts';
import type { ExtensionServer } from './extension-server.ts';
import { GrpcPort, type PortSecurity } from './grpc/grpc-port.ts';
import { createGrpcServer } from './grpc/grpc-server.ts';
import { HealthService } from './grpc/health-service.ts';
import { parseListenAddress } from './grpc/listen-address.ts';
import { hookService } from './hook/hook-service.ts';
import { followReadiness } from './readiness.ts';
import { DescriptorIndex } from './reflection/descriptor-index.ts';
import { packageDescriptors } from './reflection/descriptors-of-package.ts';
import { hookDescriptor } from './reflection/hook-descriptor.ts';
import { reflectionServices } from './reflection/reflection-service.ts';
import { programmedPage } from './report/debug-page.ts';
import { reportService } from './report/report-service.ts';
import type { Certificates } from './tls/certificates.ts';
import { parseAllowedName } from './tls/subject-names.ts';

/** A call that runs when its connection has to go may go on for so long: it is over by itself before. */
const graceMs: DurationMs = 2 * hookDefaults.callDeadlineMs;

export interface ServeOptions {
  readonly env: Env;
  readonly settings: ExtensionServerConfig;
  readonly feed: EdgeIndexFeed;
  readonly server: ExtensionServer;
  readonly certificates: Certificates | undefined;
  /** Called when the ports are open; disposed before they close. */
  readonly opened: (ports: OpenPorts) => Disposable;
}

/** TCP ports. Undefined where only Unix sockets are listened on. */
export interface OpenPorts {
  readonly hook: number | undefined;
  readonly report: number | undefined;
}

/**
 * Guarantees: nobody can call before the first full sync. Once it has been open, the hook's port stays open until the end, whatever the
 * index's watches do. The end is in order: not serving, no new connections, calls to their end, reports to theirs.
 */
export async function serve(options: ServeOptions, signal: AbortSignal): Promise<void> {
  const { env, feed, server, opened } = options;
  const { hook: hookPort, report: reportPort, health } = portsOf(options);
  let isStopping = false;
  const listening = (): HealthState => {
    if (isStopping) return { ok: false, reason: 'it stops' };
    return hookPort.listening ? { ok: true } : { ok: false, reason: 'it does not listen yet' };
  };
  using _index = env.health.ready('index', () => feed.health());
  using _hook = env.health.ready('hook', listening);
  using _page = env.health.page(debugPaths.programmed, () => programmedPage(server.reports, feed.index));
  try {
    await synced(feed.index, signal);
    if (signal.aborted) return;
    server.warmUp();
    await reportPort.open();
    await hookPort.open();
    using _running = opened({ hook: hookPort.port, report: reportPort.port });
    const check = (): HealthState => {
      const fed = feed.health();
      return fed.ok ? listening() : fed;
    };
    await followReadiness({ ...env, check, health, hook: server.hook, goAway: () => hookPort.goAway() }, signal);
    isStopping = true;
  } finally {
    isStopping = true;
    health.close();
    await hookPort.close();
    server.reports.close();
    await reportPort.close();
  }
}

function portsOf({ env, settings, server, certificates }: ServeOptions): {
  readonly hook: GrpcPort;
  readonly report: GrpcPort;
  readonly health: HealthService;
} {
  const { tls, hook, report } = settings;
  const security = (allowed: readonly string[] = []): PortSecurity | undefined =>
    certificates && { certificates, allowed: allowed.map(parseAllowedName) };
  const hooks = hookService(server.hook);
  const health = new HealthService([grpcServices.hook]);
  const { messageLimitBytes } = hook;
  const hookServer = createGrpcServer({ messageLimitBytes, graceMs, arrived: (call) => hooks.arrived(call) });
  hookServer.addService(hooks.definition, hooks.implementation);
  hookServer.addService(health.definition, health.implementation);
  const reports = reportService(server.reports);
  const reflect = (on: Server, descriptors: readonly Uint8Array[]): void => {
    if (!settings.reflection) return;
    for (const { definition, implementation } of reflectionServices(new DescriptorIndex(descriptors)))
      on.addService(definition, implementation);
  };
  const reportServer = createGrpcServer({ messageLimitBytes, graceMs });
  reportServer.addService(reports.definition, reports.implementation);
  reflect(hookServer, [hookDescriptor()]);
  reflect(reportServer, packageDescriptors(programmedPackage));
  return {
    health,
    hook: new GrpcPort({
      ...env,
      server: hookServer,
      addresses: hook.listen.map(parseListenAddress),
      security: security(tls?.hookClients),
      graceMs,
      connected: (caller) => server.reports.connected(caller),
    }),
    report: new GrpcPort({
      ...env,
      server: reportServer,
      addresses: report.listen.map(parseListenAddress),
      security: security(tls?.reportClients),
      graceMs,
    }),
  };
}

/** Resolves when the index is synced, or the signal aborts. */
async function synced(index: EdgeIndex, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  using _subscription = index.subscribe({ synced: resolve });
  if (index.synced) return;
  await abortable(promise, signal).catch(() => undefined);
}
