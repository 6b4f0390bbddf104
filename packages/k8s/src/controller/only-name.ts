import { type ClusterProvider, ClusterNotReadyError } from '../fleet/cluster.ts';
import { ControllerError } from './define-controller.ts';

/**
 * The name of the one cluster that a provider has.
 *
 * @throws ClusterNotReadyError while there is none
 * @throws ControllerError `ambiguous-cluster` when there are several
 */
export function onlyName(provider: ClusterProvider): string {
  const [first, second] = provider.list();
  if (second) throw new ControllerError('ambiguous-cluster', `plane ${provider.plane} has several clusters: name one`);
  if (first) return first.name;
  throw new ClusterNotReadyError(`no ${provider.plane} is engaged`, (wake) => onEngaged(provider, wake));
}

/** Calls `wake` at the next engagement, once. */
function onEngaged(provider: ClusterProvider, wake: () => void): Disposable {
  let waiting = true;
  const subscription = provider.subscribe(() => {
    if (!waiting) return;
    waiting = false;
    wake();
  });
  return {
    [Symbol.dispose]: () => {
      waiting = false;
      subscription[Symbol.dispose]();
    },
  };
}
