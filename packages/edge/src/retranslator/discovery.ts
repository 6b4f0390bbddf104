/** Where the extension servers are: those of a headless Service, as its EndpointSlices name them, and those that are listed. */
import { EndpointSlice } from '@lifeline/core';
import type { Cluster } from '@lifeline/k8s';
import type { ReportSettings } from '../settings.ts';

/** Of a Service that publishes addresses which are not ready: a server that is not ready has answered all the same. */
export function reportAddresses(
  slices: Iterable<EndpointSlice>,
  { port, addresses }: ReportSettings,
): readonly string[] {
  const found = new Set(addresses);
  for (const { addressType, endpoints } of slices)
    for (const endpoint of endpoints ?? [])
      for (const address of endpoint.addresses ?? [])
        found.add(addressType === 'IPv6' ? `[${address}]:${port}` : `${address}:${port}`);
  return [...found].sort();
}

/** Tells of all addresses now, and whenever they change, for as long as the cluster is engaged. */
export function followReportAddresses(
  cluster: Cluster,
  settings: ReportSettings,
  changed: (addresses: readonly string[]) => void,
): Disposable {
  const { service } = settings;
  changed(reportAddresses([], settings));
  if (service === undefined) return { [Symbol.dispose]: () => undefined };
  const slices = cluster.informer(EndpointSlice, slicesOf(service));
  let last = '';
  const tell = (): void => {
    // Slices that have not been listed are not absent.
    if (slices.status.at !== 'synced') return;
    const addresses = reportAddresses(slices.store.list(), settings);
    if (last === (last = addresses.join())) return;
    changed(addresses);
  };
  void slices.synced(cluster.signal).then(tell, () => undefined);
  return slices.subscribe(tell);
}

export const slicesOf = (service: string): { readonly namespace: string; readonly labelSelector: string } => {
  const [namespace = '', name = ''] = service.split('/');
  return { namespace, labelSelector: `kubernetes.io/service-name=${name}` };
};
