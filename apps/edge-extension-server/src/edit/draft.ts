/**
 * An answer as it was written, before anyone checked it, with the places of what stands in it. The steps after writing (checking,
 * quieting) work on this.
 */
import type { ObjectKey } from '@lifeline/core';
import type { ProxyProgram } from '@lifeline/edge';
import type { ClusterNames, ClusterState } from './cluster-names.ts';
import type { RequestParts, Span, VirtualHostOwner } from './request.ts';
import type { ResourceTable } from './resource-table.ts';

/** How a resource is answered, and by what that was decided. The same object for as long as it is answered so. */
export interface Answered<T> {
  /** Something is to be said of it each time, or had to be corrected in it: it is not recalled. */
  readonly isTold: boolean;
  /** Its field in the answer, kept since another was answered in its place. */
  kept?: Buffer | undefined;
  /** How the same bytes were answered before. */
  other?: T | undefined;
}

/** A cluster in the draft. */
export interface AnsweredCluster extends Answered<AnsweredCluster> {
  /** Where its name stands, counted from where the cluster begins. */
  readonly name: Span;
  readonly state: ClusterState;
  /** The HTTPProxy that it was decided by; undefined for none, and it is the same then whatever the index holds. */
  readonly proxy: ObjectKey | undefined;
  /** What the index held for that. */
  program: ProxyProgram | undefined;
  /** The connectors (`namespace/name`) whose tunnels it leads into; none for a cluster that stands as it was received. */
  readonly connectors: readonly ObjectKey[];
}

/** A cluster that a virtual host names: where, counted from where the virtual host begins, and what it was. */
export interface NamedCluster extends Span {
  /** Of the cluster in its table; -1 for one that is not there. */
  readonly number: number;
  readonly state: ClusterState | undefined;
}

/** A virtual host in the draft. */
export interface AnsweredVirtualHost extends Answered<AnsweredVirtualHost> {
  readonly owner: VirtualHostOwner;
  /** What it was decided by. */
  readonly clusters: readonly NamedCluster[];
  /** Which {@link ClusterNames.numbering} their numbers are of. */
  readonly numbering: number;
  /** A route of it leads, or would lead, to a connector. */
  readonly connected: boolean;
  readonly offlineRoutes: number;
  /** It differs from what was received by more than its stamp. */
  readonly edited: boolean;
}

/** A resource that was not taken from an earlier answer: what was, was checked, and is in order. */
export interface Fresh {
  /** In the draft's table. */
  readonly number: number;
  /** Its place among all of the request. */
  readonly ordinal: number;
}

/** All places are in {@link Draft.bytes}. */
export interface Draft {
  readonly request: RequestParts;
  /** The response message, in the editor's own buffer. Only the quiet step writes into it. */
  readonly bytes: Uint8Array;
  readonly clusters: ResourceTable<AnsweredCluster>;
  readonly freshClusters: readonly Fresh[];
  /** The clusters of the request, and so of the answer: none is added, left out or renamed. */
  readonly names: Pick<ClusterNames, 'has' | 'numbering'>;
  readonly listeners: readonly Span[];
  readonly secrets: readonly Span[];
  readonly routeConfigurations: readonly Span[];
  /** Of all RouteConfigurations, but for those that left. */
  readonly virtualHosts: ResourceTable<AnsweredVirtualHost>;
  readonly freshVirtualHosts: readonly Fresh[];
}
