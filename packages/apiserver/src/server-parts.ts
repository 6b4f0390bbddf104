/** What the parts of one server share. */
import type { Clock, Random } from '@lifeline/core';
import type { View } from './read/view.ts';
import type { Resource, ResourceId } from './resources/resource.ts';
import type { Store } from './storage/store.ts';

export interface Server {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
  readonly resources: ResourceRegistry;
  readonly view: View;
  /** Whether roles are asked what a user may do. Else everybody may do everything. */
  readonly rbac: boolean;
}

/** What is served now. CRDs come and go. */
export interface ResourceRegistry {
  /** In the order of registration. */
  readonly all: Iterable<Resource>;
  byId(id: ResourceId): Resource | undefined;
  byPlural(group: string, plural: string): Resource | undefined;
  byKind(group: string, kind: string): Resource | undefined;
  /** Adds, or replaces the one of the same id. */
  set(resource: Resource): void;
  delete(id: ResourceId): void;
  /** Told after each change of what is served. */
  subscribe(listener: (id: ResourceId, now: Resource | undefined) => void): Disposable;
}
