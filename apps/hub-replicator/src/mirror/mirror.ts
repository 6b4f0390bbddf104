/** All controllers that carry objects from the projects to the hub. */
import {
  type Clock,
  ConfigMap,
  type DurationMs,
  keyOf,
  type KubeObject,
  metricDefinitions,
  replicationDefaults,
} from '@lifeline/core';
import type { ClusterProvider, Controller, Log, Metrics } from '@lifeline/k8s';
import type { EmptiedKinds } from '../sweep/emptied-kinds.ts';
import { statusUpLag } from '../status-up/rise.ts';
import { kindMirror } from './controller.ts';
import type { EngagedProjects } from './engaged.ts';
import type { Lag } from './lag.ts';
import { namespaceMarks } from './namespace-controller.ts';
import { Pace } from './pace.ts';
import type { KindPolicy } from './policy.ts';
import { TakenPlaces } from './taken-places.ts';
import { Tallies } from './tally.ts';
import { UnlistedKinds } from './unlisted-kinds.ts';

export interface MirrorOptions {
  readonly projects: ClusterProvider;
  readonly hub: ClusterProvider;
  /** Those of `projects`. */
  readonly engaged: EngagedProjects;
  /** The whole table, kinds that are not enabled included: those are cleaned up. */
  readonly policies: readonly KindPolicy[];
  /** Of this installation. */
  readonly installation: string;
  readonly lag: Lag;
  readonly emptied: EmptiedKinds;
  readonly env: { readonly clock: Clock; readonly metrics: Metrics; readonly log: Log };
  /** Project and hub are one API server: a namespace that holds copies is never a source. Default false. */
  readonly single?: boolean | undefined;
  /** Least time between two status changes of an object that no traffic depends on. Default 30 s. */
  readonly statusPaceMs?: DurationMs | undefined;
  /** `controllerName` of policy statuses that are carried up. */
  readonly gatewayControllerName: string;
}

/** One controller for each kind, so that a kind that cannot be watched stops no other. */
export function mirrorControllers(options: MirrorOptions): readonly Controller[] {
  const { policies, engaged, lag, emptied, env } = options;
  const tallies = new Tallies(env.metrics);
  const pace = new Pace(options.statusPaceMs ?? replicationDefaults.statusPaceMs);
  const places = new TakenPlaces(env);
  const rising = statusUpLag(env);
  engaged.whenGone((cluster) => {
    for (const held of [lag, rising, tallies, emptied, pace, places]) held.drop(cluster);
  });
  const listed = policies.map(({ kind }) => kind.id);
  const shared = {
    ...options,
    unlisted: new UnlistedKinds({ listed, installation: options.installation, log: env.log }),
    rising,
    tallies,
    places,
    single: options.single ?? false,
    pace,
    copiesConfigMaps: policies.some(({ kind, enabled }) => kind.id === ConfigMap.id && enabled),
    onUnreadable: unreadable(env),
  };
  return [namespaceMarks(shared), ...policies.map((policy) => kindMirror({ ...shared, policy }))];
}

/** Reports each copy once. */
function unreadable({ metrics, log }: MirrorOptions['env']): (copy: KubeObject, key: string) => void {
  const counter = metrics.counter(metricDefinitions.unmappedEvents);
  const known = new Set<string>();
  return (copy, key) => {
    const { uid = '' } = copy.metadata;
    if (known.has(uid) || known.size >= 10_000) return;
    known.add(uid);
    counter.inc({ reason: 'unreadable' });
    log.warn({ kind: copy.kind, key: keyOf(copy), label: key }, 'a copy does not say whose it is: it is left alone');
  };
}
