/** Every controller of the replicator, put together. */
import { type ClusterProvider, type Controller, type Env, type Shards } from '@lifeline/k8s';
import { SecurityPolicy } from '@lifeline/core';
import type { ReplicatorConfig } from './config.ts';
import { connectors } from './connector/controller.ts';
import { EngagedProjects } from './mirror/engaged.ts';
import type { Lag } from './mirror/lag.ts';
import { mirrorControllers } from './mirror/mirror.ts';
import type { KindPolicy } from './mirror/policy.ts';
import type { Projects } from './projects.ts';
import { secretLabels } from './secrets/label-controller.ts';
import { projectSweep } from './sweep/controller.ts';
import { EmptiedKinds } from './sweep/emptied-kinds.ts';
import { SweepGate } from './sweep/gate.ts';

export interface ReplicatorParts extends Pick<Projects, 'authority'> {
  readonly env: Env;
  readonly settings: ReplicatorConfig;
  readonly policies: readonly KindPolicy[];
  readonly installation: string;
  readonly lag: Lag;
  readonly hub: ClusterProvider;
  readonly projects: ClusterProvider;
  readonly shards: Pick<Shards, 'fence'>;
}

export function replicatorControllers(parts: ReplicatorParts): readonly Controller[] {
  const { env, settings, policies, installation, lag, hub, projects, authority, shards } = parts;
  const single = settings.projects.mode === 'single';
  const { leaseDurationSeconds } = settings.connector;
  const engaged = new EngagedProjects(projects);
  const gate = new SweepGate(env, settings.sweep);
  const securityPolicy = policies.find(({ kind }) => kind.id === SecurityPolicy.id);
  return [
    connectors({ projects, env, leaseDurationSeconds, installation, isSingle: single }),
    ...mirrorControllers({
      projects,
      hub,
      engaged,
      policies,
      installation,
      lag,
      emptied: new EmptiedKinds(gate, settings.sweep.believeEmpty),
      env,
      single,
      statusPaceMs: settings.statusPaceMs,
      gatewayControllerName: settings.gatewayControllerName,
    }),
    ...(securityPolicy
      ? [
          secretLabels({
            projects,
            hub,
            engaged,
            policy: securityPolicy,
            isSingle: single,
          }),
        ]
      : []),
    ...(authority
      ? [
          projectSweep({
            hub,
            authority,
            kinds: policies.map(({ kind }) => kind),
            installation,
            gate,
            holds: (project) => shards.fence(project).certainFor() > 0,
            believed: settings.sweep.believeEmpty,
          }),
        ]
      : []),
  ];
}
