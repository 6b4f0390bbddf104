/**
 * Resources as the hook sees and answers them: Envoy's API in JSON, as `@lifeline/envoy-api` reads it. What is empty is absent, and there are
 * more fields than are named here.
 */
import type { JsonObject } from '@lifeline/core';

/** More fields than are named. */
interface Open {
  readonly [field: string]: unknown;
}

export interface Metadata extends Open {
  readonly filter_metadata?: Readonly<Record<string, JsonObject>> | undefined;
}

export interface WeightedCluster extends Open {
  readonly name?: string | undefined;
  readonly weight?: number | undefined;
}

export interface RouteAction extends Open {
  readonly cluster?: string | undefined;
  readonly weighted_clusters?: { readonly clusters?: readonly WeightedCluster[] | undefined } | undefined;
}

export interface DirectResponse extends Open {
  readonly status?: number | undefined;
  /** `inline_bytes` is Base64. */
  readonly body?:
    { readonly inline_string?: string | undefined; readonly inline_bytes?: string | undefined } | undefined;
}

export interface Route extends Open {
  readonly name?: string | undefined;
  readonly match?: JsonObject | undefined;
  readonly route?: RouteAction | undefined;
  readonly direct_response?: DirectResponse | undefined;
  readonly redirect?: JsonObject | undefined;
  readonly response_headers_to_add?: readonly {
    readonly header?: { readonly key?: string; readonly value?: string };
  }[];
  readonly metadata?: Metadata | undefined;
}

export interface VirtualHost extends Open {
  readonly name?: string | undefined;
  readonly domains?: readonly string[] | undefined;
  readonly routes?: readonly Route[] | undefined;
  readonly metadata?: Metadata | undefined;
}

export interface RouteConfiguration extends Open {
  readonly name?: string | undefined;
  readonly virtual_hosts?: readonly VirtualHost[] | undefined;
}

export interface Address extends Open {
  readonly socket_address?:
    { readonly address?: string | undefined; readonly port_value?: number | undefined } | undefined;
  readonly envoy_internal_address?:
    { readonly server_listener_name?: string | undefined; readonly endpoint_id?: string | undefined } | undefined;
}

export interface LbEndpoint extends Open {
  readonly endpoint?: { readonly address?: Address | undefined } | undefined;
  readonly metadata?: Metadata | undefined;
}

export interface LocalityEndpoints extends Open {
  readonly locality?: JsonObject | undefined;
  readonly lb_endpoints?: readonly LbEndpoint[] | undefined;
  readonly load_balancing_weight?: number | undefined;
  readonly metadata?: Metadata | undefined;
}

export interface Cluster extends Open {
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly cluster_type?: JsonObject | undefined;
  readonly load_assignment?:
    | { readonly cluster_name?: string | undefined; readonly endpoints?: readonly LocalityEndpoints[] | undefined }
    | undefined;
  readonly transport_socket?: JsonObject | undefined;
  readonly transport_socket_matches?: readonly JsonObject[] | undefined;
  readonly metadata?: Metadata | undefined;
}

export interface Listener extends Open {
  readonly name?: string | undefined;
  readonly address?: Address | undefined;
}

/** All resources of one IR key: of one Gateway, or of all Gateways of a class when they are merged. */
export interface XdsSnapshot {
  readonly clusters: readonly Cluster[];
  readonly listeners: readonly Listener[];
  readonly routes: readonly RouteConfiguration[];
}

/** The clusters that a route sends requests to, with their weights. */
export function targetsOf({ route }: Route): readonly { readonly name: string; readonly weight: number }[] {
  if (route?.cluster !== undefined) return [{ name: route.cluster, weight: 1 }];
  return (route?.weighted_clusters?.clusters ?? []).map(({ name = '', weight = 0 }) => ({ name, weight }));
}

/** The virtual hosts of all RouteConfigurations. */
export const virtualHostsOf = ({ routes }: Pick<XdsSnapshot, 'routes'>): readonly VirtualHost[] =>
  routes.flatMap(({ virtual_hosts = [] }) => virtual_hosts);
