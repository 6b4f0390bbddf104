/** Rule 12: what is held back. */
import type { Binding } from '../hub.ts';
import { at, itemsAt } from '../manifest.ts';
import type { Dispatch } from './work-of.ts';

/** Whether all of a binding is suspended in that respect. */
export const isSuspended = ({ spec }: Binding, respect: 'dispatching' | 'scheduling'): boolean =>
  at(spec.suspension, respect) === true;

/** How a binding's object goes to one cluster. */
export function dispatchTo(binding: Binding, cluster: string): Dispatch {
  const named = itemsAt(binding.spec.suspension, 'dispatchingOnClusters', 'clusterNames');
  return {
    suspended: isSuspended(binding, 'dispatching') || named.includes(cluster),
    preserve: binding.spec.preserveResourcesOnDeletion === true,
  };
}
