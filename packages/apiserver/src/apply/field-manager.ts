/** Who owns which field: `metadata.managedFields`, kept as a real server keeps it. */
import type { StoredObject } from '../resources/resource.ts';
import type { Schema } from '../schema/compiled-schema.ts';

export interface Author {
  /** Field manager: from the query, else the user agent up to its first slash. */
  readonly manager: string;
  readonly subresource: string | undefined;
  /** RFC 3339, whole seconds. */
  readonly time: string;
  /** `apiVersion` of the request: entries are kept per version. */
  readonly apiVersion: string;
}

export interface ApplyRequest {
  readonly schema: Schema;
  /** Undefined: the apply creates. */
  readonly live: StoredObject | undefined;
  /** The configuration as it was sent. It may hold no managedFields. */
  readonly applied: StoredObject;
  readonly author: Author;
  readonly force: boolean;
}

/** @see ./apply.ts `applyConfiguration(request): StoredObject`, ./track.ts `trackUpdate(schema, live, next, author): StoredObject` */
export interface TrackRequest {
  readonly schema: Schema;
  readonly live: StoredObject | undefined;
  /** With the managedFields that the client sent: absent or equal to live's keeps them, `[{}]` or `[]` resets them. */
  readonly next: StoredObject;
  readonly author: Author;
}
