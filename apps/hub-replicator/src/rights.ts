/** The least rights that a replicator needs, by plane, made from what its controllers declare. Charts are made from these. */
import { type PolicyRule, Secret } from '@lifeline/core';
import { type Env, fleetFactory, noFence, rbacRules, shardRules, staticSource } from '@lifeline/k8s';
import type { ReplicatorConfig } from './config.ts';
import { replicatorControllers } from './controllers.ts';
import { policiesOf } from './mirror/kinds.ts';
import { Lag } from './mirror/lag.ts';
import { controlPlane, hubPlane, projectKind, projectPlane } from './projects.ts';

export interface ReplicatorRights {
  /** ClusterRole in every project plane. */
  readonly project: readonly PolicyRule[];
  /** ClusterRole on the hub. The installation id and the watermark are ConfigMaps like others. */
  readonly hub: readonly PolicyRule[];
  /** Role in the hub's namespace of the shard Leases. */
  readonly shards: readonly PolicyRule[];
  /** ClusterRole on the control plane that holds the Projects; empty where planes do not come from objects. */
  readonly controlPlane: readonly PolicyRule[];
  /** Role in the namespace of the Secrets that planes come from; empty where they do not. */
  readonly secrets: readonly PolicyRule[];
}

/** Starts nothing and asks nobody. */
export function replicatorRights(settings: ReplicatorConfig, env: Env): ReplicatorRights {
  const fleet = fleetFactory(env, 'rights');
  const source = staticSource({});
  const kind = projectKind(settings.projects);
  const controllers = replicatorControllers({
    env,
    settings,
    policies: policiesOf(settings.kinds).policies,
    installation: 'rights',
    lag: new Lag(env),
    hub: fleet({ plane: hubPlane, source }),
    projects: fleet({ plane: projectPlane, source }),
    authority: kind && { provider: fleet({ plane: controlPlane, source }), kind },
    shards: { fence: () => noFence },
  });
  const follows = { apiGroups: [Secret.group], resources: [Secret.plural], verbs: ['get', 'list', 'watch'] };
  return {
    project: rbacRules(projectPlane, controllers),
    hub: rbacRules(hubPlane, controllers),
    shards: shardRules,
    controlPlane: rbacRules(controlPlane, controllers),
    secrets: settings.projects.mode === 'secrets' ? [follows] : [],
  };
}
