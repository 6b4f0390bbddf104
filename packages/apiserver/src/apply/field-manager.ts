/** Who owns which field: `metadata.managedFields`, kept as a real server keeps it. */
import type { Resource, StoredObject } from '../resources/resource.ts';

export interface Author {
  /** Field manager: from the query, else the user agent up to its first slash. */
  readonly manager: string;
  readonly subresource: string | undefined;
  /** RFC 3339, whole seconds. */
  readonly time: string;
  /** `apiVersion` of the request: entries are kept per version. */
  readonly apiVersion: string;
}

/** @see ./apply.ts `applyConfiguration` */
export interface ApplyRequest {
  readonly resource: Resource;
  /** In the version of the request. Undefined: the apply creates. */
  readonly live: StoredObject | undefined;
  /** The configuration as it was sent: neither pruned, nor defaulted, nor decoded by type. It may hold no managedFields. */
  readonly applied: StoredObject;
  readonly author: Author;
  readonly force: boolean;
}

/** @see ./track.ts `trackUpdate` */
export interface TrackRequest {
  readonly resource: Resource;
  /** In the version of the request. Undefined: a create. */
  readonly live: StoredObject | undefined;
  /**
   * Decoded and with its defaults, but before the strategy had its say: what a strategy adds belongs to nobody. With the managedFields
   * that the client sent: absent or equal to live's keeps them, `[{}]` or `[]` resets them.
   */
  readonly next: StoredObject;
  readonly author: Author;
}
