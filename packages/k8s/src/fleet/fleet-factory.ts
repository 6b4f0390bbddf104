/** Fleets as an app makes them: over its Env, with one retry budget for all of them. */
import type { Env } from '../app/env.ts';
import { createInformer } from '../cache/create-informer.ts';
import { createClient } from '../client/http-client.ts';
import { createRetryBudget, type RetryBudget } from '../client/retry-budget.ts';
import type { ClusterProvider, ClusterSource } from './cluster.ts';
import { createFleet } from './fleet.ts';

export interface FleetSpec {
  /** `project`, `hub`, `edge`. */
  readonly plane: string;
  readonly source: ClusterSource;
}

/**
 * @param userAgent names the app to API servers and their audit logs
 * @param budget shared with other clients of the same planes: a plane that asks for a pause asks the process. Default: one of its own
 */
export function fleetFactory(
  env: Env,
  userAgent: string,
  budget: RetryBudget = createRetryBudget(env),
): (spec: FleetSpec) => ClusterProvider {
  const { clock, random, log, metrics, caches } = env;
  return ({ plane, source }) =>
    createFleet({
      plane,
      source,
      clock,
      log,
      metrics,
      connect: (endpoint, signal) =>
        createClient({
          transport: env.transport(endpoint, signal),
          baseUrl: endpoint.server,
          clock,
          random,
          budget,
          metrics,
          log,
          userAgent,
        }),
      createInformer: (kind, { name, client }, options) =>
        createInformer(kind, { client, clock, random, metrics, log, cluster: name, plane, ...caches, ...options }),
    });
}
