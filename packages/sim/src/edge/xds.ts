/** The part of xDS that the hook sees and answers, as plain values. Field names are Envoy's JSON names. */
import type { JsonObject } from '@lifeline/core';

export interface Metadata {
  readonly filterMetadata: Readonly<Record<string, JsonObject>>;
}

export interface RouteAction {
  readonly cluster?: string | undefined;
  readonly weightedClusters?: readonly { readonly name: string; readonly weight: number }[] | undefined;
}

export interface Route {
  readonly name: string;
  readonly match: JsonObject;
  readonly route?: RouteAction | undefined;
  readonly directResponse?: { readonly status: number; readonly body?: string | undefined } | undefined;
  readonly redirect?: JsonObject | undefined;
  readonly metadata?: Metadata | undefined;
}

export interface VirtualHost {
  readonly name: string;
  readonly domains: readonly string[];
  readonly routes: readonly Route[];
  readonly metadata?: Metadata | undefined;
}

export interface RouteConfiguration {
  readonly name: string;
  readonly virtualHosts: readonly VirtualHost[];
}

export interface Cluster {
  readonly name: string;
  readonly type: string;
  readonly loadAssignment?: JsonObject | undefined;
  readonly transportSocket?: JsonObject | undefined;
  readonly transportSocketMatches?: readonly JsonObject[] | undefined;
  readonly metadata?: Metadata | undefined;
}

export interface Listener {
  readonly name: string;
  readonly port: number;
}

/** All resources of one IR key: of one Gateway, or of all Gateways of a class when they are merged. */
export interface XdsSnapshot {
  readonly listeners: readonly Listener[];
  readonly routes: readonly RouteConfiguration[];
  readonly clusters: readonly Cluster[];
}

/** The clusters that a route sends requests to. */
export const clustersOf = ({ route }: Route): readonly string[] =>
  route?.cluster !== undefined ? [route.cluster] : (route?.weightedClusters ?? []).map(({ name }) => name);
