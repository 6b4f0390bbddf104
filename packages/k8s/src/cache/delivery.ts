/** A place between the reflector and its store, for simulators: late, lost, repeated and reordered knowledge. */
import type { Delta } from './reflector.ts';

/** Whose cache it is. */
export interface CacheName {
  readonly plane: string;
  readonly cluster: string;
  /** The kind's id. */
  readonly kind: string;
}

/**
 * Gets each delta in the reflector's order and passes it on with `deliver`: at once, later, more than once, or never. The cache then
 * believes what it was given, as if the server had sent it so; lists that come later put it right.
 *
 * Caveat: an informer counts as synced when its first `replaced` was delivered.
 */
export type DeliveryInterceptor = <T>(delta: Delta<T>, deliver: (delta: Delta<T>) => void, cache: CacheName) => void;
