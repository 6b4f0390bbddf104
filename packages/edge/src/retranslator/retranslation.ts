/** The retranslator as apps run it: on the caches of their edge, with the reports of all extension servers. */
import { EndpointSlice, Gateway, type PolicyRule } from '@lifeline/core';
import type { Cluster, ClusterProvider, Env } from '@lifeline/k8s';
import type { EdgeIndex } from '../index/edge-index.ts';
import { reportCredentials } from '../report/credentials.ts';
import { remoteReports } from '../report/remote.ts';
import type { ReportSource } from '../report/report.ts';
import type { ReportSettings } from '../settings.ts';
import { followReportAddresses } from './discovery.ts';
import { Peers } from './peers.ts';
import { Retranslator } from './retranslator.ts';
import { stamper } from './stamper.ts';

export interface RetranslationOptions {
  readonly env: Pick<Env, 'clock' | 'random' | 'log' | 'metrics' | 'files'>;
  readonly index: EdgeIndex;
  /** Of exactly one cluster, which is engaged once. */
  readonly edge: ClusterProvider;
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
  parts.use(
    followReportAddresses(cluster, reports, (addresses) =>
      peers.set([...(own ? [own] : []), ...addresses.map(remote)]),
    ),
  );
  return parts;
}

export interface RetranslationRights {
  /** ClusterRole: the only write, which an admission policy narrows to the stamp. */
  readonly cluster: readonly PolicyRule[];
  /** Role in the namespace of the extension servers' Service; empty without one. */
  readonly reports: readonly PolicyRule[];
}

export function retranslationRights({ service }: ReportSettings): RetranslationRights {
  const slices = {
    apiGroups: [EndpointSlice.group],
    resources: [EndpointSlice.plural],
    verbs: ['get', 'list', 'watch'],
  };
  return {
    cluster: [{ apiGroups: [Gateway.group], resources: [Gateway.plural], verbs: ['patch'] }],
    reports: service === undefined ? [] : [slices],
  };
}
