/** The retranslator as apps run it: on the caches of their edge, with the reports of all extension servers. */
import { isIP } from 'node:net';
import { EndpointSlice, Gateway, GatewayClass, KubeEvent, type PolicyRule } from '@lifeline/core';
import {
  cacheRules,
  type Cluster,
  type ClusterProvider,
  createEventRecorder,
  type Env,
  type RecordedEvent,
} from '@lifeline/k8s';
import type { EdgeIndex } from '../index/edge-index.ts';
import { reportCredentials } from '../report/credentials.ts';
import { remoteReports } from '../report/remote.ts';
import type { ReportSource } from '../report/report.ts';
import type { ReportSettings } from '../settings.ts';
import { followReportAddresses } from './discovery.ts';
import { Peers } from './peers.ts';
import { watchRefusals } from './refusals.ts';
import { Retranslator } from './retranslator.ts';
import { stamper } from './stamper.ts';

export interface RetranslationOptions {
  readonly env: Pick<Env, 'clock' | 'random' | 'log' | 'metrics' | 'files' | 'transport'>;
  readonly index: EdgeIndex;
  /** Of exactly one cluster, which is engaged once. */
  readonly edge: ClusterProvider;
  /** Gateway classes that are ours. */
  readonly classes: readonly string[];
  /** Key of the stamp's annotation. */
  readonly stampAnnotation: string;
  readonly reports: ReportSettings;
  /** The extension server of this process. */
  readonly own?: ReportSource | undefined;
}

/** Begins when the edge is engaged, ends when disposed. */
export function retranslation(options: RetranslationOptions): Disposable {
  const parts = new DisposableStack();
  parts.use(options.edge.subscribe((cluster) => parts.use(retranslate(cluster, options))));
  return parts;
}

function retranslate(cluster: Cluster, options: RetranslationOptions): Disposable {
  const { env, index, stampAnnotation, reports, own } = options;
  const { clock, log, files } = env;
  const { client, signal } = cluster;
  const parts = new DisposableStack();
  const write = stamper({ clock, client, log, annotation: stampAnnotation, signal });
  const { programmed } = parts.use(new Retranslator({ ...env, index, write }));
  const peers = parts.use(new Peers({ ...env, programmed }));
  const { serverName } = reports;
  const remote = (address: string): ReportSource =>
    remoteReports({
      address,
      serverName,
      credentials: (life) => reportCredentials(address, reports, { files, signal: life }),
    });
  const recorder = createEventRecorder({ ...env, instance: 'retranslator' });
  const refusedBy = (url: string) => (): void => {
    log.warn({ url }, 'Envoy Gateway or an Envoy refused what the hook answered');
    programmed.refused(callerAt(url));
    for (const name of options.classes)
      recorder.record({ controller: 'retranslator', cluster: cluster.name, client, signal }, refusal(name, url));
  };
  parts.use(
    followReportAddresses(cluster, reports, (addresses) =>
      peers.set([...(own ? [own] : []), ...addresses.map(remote)]),
    ),
  );
  for (const url of reports.envoyGatewayMetrics)
    void watchRefusals(
      { clock, log, url, transport: env.transport({ server: url }, signal), refused: refusedBy(url) },
      signal,
    );
  return parts;
}

/** The name of the Envoy Gateway process behind a URL, as reports have it; undefined for a host name. */
function callerAt(url: string): string | undefined {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? undefined : host;
}

const refusal = (name: string, url: string): RecordedEvent => ({
  regarding: {
    apiVersion: `${GatewayClass.group}/${GatewayClass.version}`,
    kind: GatewayClass.kind,
    metadata: { name },
  },
  type: 'Warning',
  reason: 'AnswerRefused',
  action: 'Retranslate',
  note: `Envoy Gateway at ${url}, or an Envoy of it, refused what the hook answered. It runs what it ran before; its log says why. The Gateways are stamped again.`,
});

export interface RetranslationRights {
  /** ClusterRole: the only write, which an admission policy narrows to the stamp. */
  readonly cluster: readonly PolicyRule[];
  /** Role in the namespace of the extension servers' Service; empty without one. */
  readonly reports: readonly PolicyRule[];
}

export function retranslationRights({ service, envoyGatewayMetrics }: ReportSettings): RetranslationRights {
  const events = { apiGroups: [KubeEvent.group], resources: [KubeEvent.plural], verbs: ['create', 'patch'] };
  return {
    cluster: [
      { apiGroups: [Gateway.group], resources: [Gateway.plural], verbs: ['patch'] },
      ...(envoyGatewayMetrics.length > 0 ? [events] : []),
    ],
    reports: service === undefined ? [] : cacheRules([EndpointSlice]),
  };
}
