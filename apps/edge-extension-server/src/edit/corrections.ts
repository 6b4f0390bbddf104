/** What checking a draft may ask for: the draft is then written anew with it. Corrections only ever grow, so that this ends. */
import type { ObjectKey } from '@lifeline/core';

/** How a virtual host is written, other than by its connectors' state. */
export type CorrectedForm =
  /** Each of its routes to a connector answers 503. */
  | 'offline'
  /** Its routes as they were received: our edit breaks a rule in either form. */
  | 'original';

export interface Corrections {
  /** Connectors, by `namespace/name`, that are offline everywhere because a cluster of theirs broke; with the reason. */
  readonly connectors: ReadonlyMap<ObjectKey, string>;
  /** By the virtual host's ordinal. */
  readonly virtualHosts: ReadonlyMap<number, { readonly form: CorrectedForm; readonly reason: string }>;
  /**
   * By the virtual host's ordinal, the places among its domains (from 0) that it loses to an older Gateway. One that loses all leaves.
   */
  readonly lostDomains: ReadonlyMap<number, ReadonlySet<number>>;
}

export const noCorrections: Corrections = {
  connectors: new Map(),
  virtualHosts: new Map(),
  lostDomains: new Map(),
};
