/**
 * An answer as it was written, before anyone checked it, with the places of what stands in it. The steps after writing (checking,
 * quieting) work on this.
 */
import type { ObjectKey } from '@lifeline/core';
import type { NamedClusters } from './virtual-host-fault.ts';
import type { RequestParts, Span, VirtualHostPart } from './request.ts';

/** A cluster in the draft. */
export interface DraftCluster extends Span {
  /** The connectors (`namespace/name`) whose tunnels it leads into; none for a cluster that stands as it was received. */
  readonly connectors: readonly ObjectKey[];
}

/** A virtual host in the draft. */
export interface DraftVirtualHost extends Span {
  readonly part: VirtualHostPart;
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
