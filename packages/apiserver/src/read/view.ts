/** Through which eyes requests read: those of the plane itself, or of a replica whose cache may lag. */
import type { ResourceId } from '../resources/resource.ts';
import type { WatchHub } from './watch-hub.ts';

export interface View {
  /** The newest revision that watches, and reads that may be stale, see of a resource. */
  horizon(resource: ResourceId): number;
  readonly watches: WatchHub;
}
