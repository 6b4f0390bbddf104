/**
 * An answer as it was written, before anyone checked it, with the places of what stands in it. The steps after writing (checking,
 * quieting) work on this.
 */
import type { ObjectKey } from '@lifeline/core';
import type { ProxyProgram } from '@lifeline/edge';
import type { Slice } from '../wire/text.ts';
import type { ClusterState } from './cluster-names.ts';
import type { DraftField } from './draft-field.ts';
import type { NamedClusters } from './virtual-host-fault.ts';
import type { RequestParts, Span, VirtualHostPart } from './request.ts';

/** What is known of a resource in the draft, should it come again. */
interface DraftResource extends DraftField {
  /** It was taken from the last answer: it was checked, and is in order. */
  readonly isRecalled: boolean;
  /** Something is to be said of it each time, or had to be corrected in it: it is not recalled. */
  readonly isTold: boolean;
}

/** A cluster in the draft. */
export interface DraftCluster extends DraftResource {
  /** As it was received. */
  readonly part: Slice;
  /** Where its name stands in {@link part}, counted from there. */
  readonly name: Span;
  readonly state: ClusterState;
  /** The HTTPProxy that it was decided by; undefined for none, and it is the same then whatever the index holds. */
  readonly proxy: ObjectKey | undefined;
  /** What the index held for that. */
  readonly program: ProxyProgram | undefined;
  /** The connectors (`namespace/name`) whose tunnels it leads into; none for a cluster that stands as it was received. */
  readonly connectors: readonly ObjectKey[];
}

/** A cluster that a virtual host names: where, counted from where the virtual host begins, and what it was. */
export interface NamedCluster extends Span {
  readonly state: ClusterState | undefined;
}

/** A virtual host in the draft. */
export interface DraftVirtualHost extends DraftResource {
  readonly part: VirtualHostPart;
  /** What it was decided by. */
  readonly clusters: readonly NamedCluster[];
  /** A route of it leads, or would lead, to a connector. */
  readonly connected: boolean;
  readonly offlineRoutes: number;
  /** It differs from what was received by more than its stamp. */
  readonly edited: boolean;
}

export interface DraftRouteConfiguration extends Span {
  readonly virtualHosts: readonly DraftVirtualHost[];
}

/** All spans are of payloads (without tag and length) in {@link Draft.bytes}. */
export interface Draft {
  readonly request: RequestParts;
  /** The response message, in the editor's own buffer. Only the quiet step writes into it. */
  readonly bytes: Uint8Array;
  readonly clusters: readonly DraftCluster[];
  /** The clusters of the request, and so of the answer: none is added, left out or renamed. */
  readonly names: NamedClusters;
  readonly listeners: readonly Span[];
  readonly secrets: readonly Span[];
  readonly routeConfigurations: readonly DraftRouteConfiguration[];
}
