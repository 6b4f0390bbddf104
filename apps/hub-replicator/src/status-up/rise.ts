/** How long a status takes on its way up. */
import { type Clock, deepEqual, type KubeObject, metricDefinitions } from '@lifeline/core';
import type { Metrics, Predicate } from '@lifeline/k8s';
import { Lag } from '../mirror/lag.ts';
import { statusOf } from './write.ts';

/** From when a status was seen to move on the hub to when upstream has what follows from it. */
export const statusUpLag = (env: { readonly clock: Clock; readonly metrics: Metrics }): Lag =>
  new Lag({ ...env, metric: metricDefinitions.statusUp, labels: { hop: 'hub-project' } });

/** Lets through what `isNews` lets through, and tells of each copy whose status has moved. */
export const tellingOfMoves =
  (isNews: Predicate<KubeObject>, moved: (copy: KubeObject) => void): Predicate<KubeObject> =>
  (event) => {
    if (event.type === 'updated' && !deepEqual(statusOf(event.old), statusOf(event.object))) moved(event.object);
    return isNews(event);
  };
