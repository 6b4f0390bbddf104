/** A route whose weighted clusters are offline in part: those get no weight, the rest stays as it is. */
import type { Cursor } from '../wire/cursor.ts';
import type { Writer } from '../wire/writer.ts';
import { clusterStates } from './cluster-names.ts';
import { clusterWeight, route, routeAction, weightedCluster } from './envoy-fields.ts';
import { rewrite, rewriteInside } from './rewrite.ts';
import { entryState, type StateOf } from './route-decision.ts';

/** Writes the fields of the route. */
export function writeWeightedRoute(out: Writer, message: Cursor, stateOf: StateOf): void {
  const isOffline = (entry: Cursor): boolean =>
    entry.isBytes(weightedCluster.clusters) && entryState(entry, stateOf) === clusterStates.offline;
  rewrite(
    out,
    message,
    (action) =>
      action.isBytes(route.route) &&
      rewriteInside(
        out,
        action,
        (weighted) =>
          weighted.isBytes(routeAction.weightedClusters) &&
          rewriteInside(out, weighted, (entry) => isOffline(entry) && writeWithoutWeight(out, entry)),
      ),
  );
}

function writeWithoutWeight(out: Writer, entry: Cursor): true {
  out.begin(entry.field, entry.to - entry.from);
  rewrite(out, entry.enter(), (at) => at.isBytes(clusterWeight.weight));
  out.begin(clusterWeight.weight);
  out.end();
  out.end();
  return true;
}
