/** What an index reads of its cluster. */
import {
  ConfigMap,
  Connector,
  formatSelector,
  Gateway,
  HTTPProxy,
  labels,
  Namespace,
  type PolicyRule,
  truthNamespace,
  watermarkConfigMap,
} from '@lifeline/core';
import { cacheRules, type Cluster, type Informer, type InformerOptions } from '@lifeline/k8s';

export interface ReadSettings {
  /** Only Gateways in namespaces with this label are stamped. Default `meta.datumapis.com/upstream-namespace`. */
  readonly namespaceLabel?: string | undefined;
}

/** The caches behind an index. All but the watermark's have to be synced before it says anything. */
export interface EdgeCaches {
  readonly connectors: Informer<Connector>;
  readonly proxies: Informer<HTTPProxy>;
  readonly gateways: Informer<Gateway>;
  readonly namespaces: Informer<Namespace>;
  readonly watermark: Informer<ConfigMap>;
}

const namespacesRead = ({ namespaceLabel = labels.upstreamNamespace }: ReadSettings): InformerOptions<Namespace> => ({
  metadataOnly: true,
  labelSelector: formatSelector([{ key: namespaceLabel, operator: 'Exists' }]),
});
const watermarkRead: InformerOptions<ConfigMap> = {
  namespace: truthNamespace,
  fieldSelector: `metadata.name=${watermarkConfigMap}`,
};

/** First use starts them. */
export const edgeCaches = (cluster: Cluster, settings: ReadSettings): EdgeCaches => ({
  connectors: cluster.informer(Connector),
  proxies: cluster.informer(HTTPProxy),
  gateways: cluster.informer(Gateway),
  namespaces: cluster.informer(Namespace, namespacesRead(settings)),
  watermark: cluster.informer(ConfigMap, watermarkRead),
});

export interface EdgeIndexRights {
  /** ClusterRole. */
  readonly cluster: readonly PolicyRule[];
  /** Role in the namespace of the watermark. */
  readonly truth: readonly PolicyRule[];
}

/** The least rights that an index needs of its cluster: it reads nothing but its caches. */
export const edgeIndexRights: EdgeIndexRights = {
  cluster: cacheRules([Connector, HTTPProxy, Gateway, Namespace]),
  truth: cacheRules([ConfigMap]),
};
