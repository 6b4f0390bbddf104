/** Caches of one API server: one for each kind that somebody asks for. */
import type { Clock, Kind, KubeObject, Random } from '@lifeline/core';
import {
  type Client,
  createInformer,
  type DeliveryInterceptor,
  type Log,
  type Metrics,
  type Pace,
  type SharedInformer,
} from '@lifeline/k8s';

/** What every cache of a Karmada has in common. */
export interface CacheParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Deeply frozen objects, so that whoever changes one fails. */
  readonly freeze: boolean;
  /** Between each reflector and its cache. */
  readonly intercept: DeliveryInterceptor | undefined;
}

export interface CacheOf {
  readonly client: Client;
  /** `hub` or `member`. */
  readonly plane: string;
  readonly cluster: string;
}

/** As client-go's reflectors have it, also for a kind that is not there. */
const pace: Partial<Pace> = { unavailable: { baseMs: 800, capMs: 30_000, resetMs: 120_000 } };

/** A cache that nothing runs yet. */
export function cacheOf<T extends KubeObject>(
  kind: Kind<T>,
  of: CacheOf,
  { intercept, ...parts }: CacheParts,
): SharedInformer<T> {
  return createInformer(kind, { ...of, ...parts, pace, ...(intercept ? { intercept } : {}) });
}
