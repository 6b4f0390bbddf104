/**
 * Equal resources leave as equal bytes, whatever order their maps came in.
 *
 * Envoy Gateway writes a map inside of an `Any` (an access log's JSON format) in another order each time, so that equal listeners differ
 * in bytes, and each call would send all of them to Envoy again. Two remedies are possible. A cache of first answers, by a digest of the
 * content with its keys in order, costs memory per listener, is empty after a restart, and differs from replica to replica. Putting the
 * keys in order costs the walk that the digest needs as well, and every replica then answers the same bytes, at once and for ever: that is
 * what is done here.
 */
import type { Draft } from './draft.ts';
import { KeyOrder } from './key-order.ts';
import { placeType } from './map-places.ts';
import type { Span } from './request.ts';

export interface Quiet {
  /** The bytes to answer: the draft's own, changed in place. */
  quiet(draft: Draft): Uint8Array;
}

const listener = placeType('envoy.config.listener.v3.Listener');
const cluster = placeType('envoy.config.cluster.v3.Cluster');
const routes = placeType('envoy.config.route.v3.RouteConfiguration');

/** One for each editor. What it holds does not grow. */
export function createQuiet(): Quiet {
  const keyOrder = new KeyOrder();
  return {
    quiet({ bytes, listeners, clusters, routeConfigurations }) {
      const sort = (spans: readonly Span[], type: typeof listener): void => {
        for (const { from, to } of spans) keyOrder.sort({ bytes, from, to }, type);
      };
      sort(listeners, listener);
      sort(clusters, cluster);
      // Filters configured per route are Anys too.
      sort(routeConfigurations, routes);
      return bytes;
    },
  };
}
