/** Label selectors, as text for lists and watches. */
import { formatSelector, type Requirement } from '../meta/selector.ts';
import { labels } from './labels.ts';

const is = (key: string, value: string): Requirement => ({ key, operator: 'In', values: [value] });
const exists = (key: string): Requirement => ({ key, operator: 'Exists' });

export const labelSelectors = {
  /** Every copy of an upstream object, whoever made it; mapped namespaces too. */
  copies: formatSelector([exists(labels.upstreamNamespace)]),
  /** Everything that this installation made. */
  ours: (installation: string): string => formatSelector([is(labels.installation, installation)]),
  /** ConfigMaps and Secrets that opted into replication. */
  gatewaySync: formatSelector([exists(labels.gatewaySync)]),
  /** Claims and copies that a cell made. */
  ofCell: (cell: string): string => formatSelector([is(labels.sourceCluster, cell)]),
  /** WorkloadDeployments of a city. */
  ofCity: (cityCode: string): string => formatSelector([is(labels.cityCode, cityCode)]),
} as const;
