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
import { routeConfiguration } from './envoy-fields.ts';
import { KeyOrder } from './key-order.ts';
import { type PlaceType, placeType } from './map-places.ts';
import type { Span } from './request.ts';
import { writtenSpan } from './resource-table.ts';

export interface Quiet {
  /** The bytes to answer: the draft's own, changed in place. */
  quiet(draft: Draft): Uint8Array;
}

const listener = placeType('envoy.config.listener.v3.Listener');
const cluster = placeType('envoy.config.cluster.v3.Cluster');
const virtualHost = placeType('envoy.config.route.v3.VirtualHost');
/** All but its virtual hosts. */
const routes: PlaceType = {
  ...placeType('envoy.config.route.v3.RouteConfiguration'),
  places: placeType('envoy.config.route.v3.RouteConfiguration').places.with(routeConfiguration.virtualHosts, undefined),
};

/** One for each editor. What it holds does not grow. */
export function createQuiet(): Quiet {
  const keyOrder = new KeyOrder();
  return {
    quiet({ bytes, listeners, clusters, freshClusters, routeConfigurations, virtualHosts, freshVirtualHosts }) {
      const sort = ({ from, to }: Span, type: PlaceType): void => keyOrder.sort({ bytes, from, to }, type);
      for (const each of listeners) sort(each, listener);
      for (const { number } of freshClusters) sort(writtenSpan(bytes, clusters, number), cluster);
      // Filters configured per route are Anys too.
      for (const each of routeConfigurations) sort(each, routes);
      for (const { number } of freshVirtualHosts) sort(writtenSpan(bytes, virtualHosts, number), virtualHost);
      return bytes;
    },
  };
}
