/** How a kind is replicated: the table of kinds, as code. What an operator may change of it stands in `kinds.ts`. */
import type { Kind } from '@lifeline/core';

/** Which way status travels. */
export type StatusFlow =
  /** Decided downstream: the hub's aggregate is carried up, through a transform. */
  | { readonly direction: 'up'; readonly transform: StatusTransform }
  /** Decided upstream, and needed downstream: the whole of it in an annotation. */
  | { readonly direction: 'mirror' }
  /** Decided upstream, and of no use downstream. */
  | { readonly direction: 'none' };

/**
 * - `identity`: as it is, generations and internal names aside
 * - `policy`: a Gateway API PolicyStatus: our controller's name, the upstream namespace in every ancestor
 * - `gateway`, `route`: of Gateways and HTTPRoutes that are plain copies
 */
export type StatusTransform = 'identity' | 'policy' | 'gateway' | 'route';

export interface KindPolicy {
  readonly kind: Kind;
  /** False: its copies are removed and its finalizers released, as for an object that is no longer selected. */
  readonly enabled: boolean;
  /** Label selector of what is replicated; absent: everything. */
  readonly selector?: string | undefined;
  /** Labels that travel with the object. Others never do. */
  readonly carriedLabels: readonly string[];
  readonly status: StatusFlow;
  /** Held back until every Secret that it names is on the hub, see `secrets/guard.ts`. */
  readonly guardsSecrets: boolean;
  /** `spec.gatewayClassName` upstream → downstream; a class that is not listed goes as it is. */
  readonly gatewayClasses: Readonly<Record<string, string>>;
}
