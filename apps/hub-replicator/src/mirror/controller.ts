/** Mirrors one kind from every project to the hub. */
import { type KubeObject, parseKey, parseSelector, Secret, upstreamKey } from '@lifeline/core';
import {
  ClusterNotReadyError,
  type Controller,
  defineController,
  type ReconcileContext,
  type ReconcileRequest,
} from '@lifeline/k8s';
import { policiesFirstReads } from '../secrets/policies-first.ts';
import { guardReads } from '../secrets/read-guard.ts';
import { Unkept } from '../status-up/carry.ts';
import { tellingOfMoves } from '../status-up/rise.ts';
import type { EmptiedKinds } from '../sweep/emptied-kinds.ts';
import { Answers } from './answers.ts';
import { mirrorName } from './controller-name.ts';
import type { Rules } from './decide.ts';
import { Echoes } from './echoes.ts';
import { requestOfCopy } from './engaged.ts';
import type { Lag, LagKey } from './lag.ts';
import { mirrorOne } from './mirror-one.ts';
import { ownedKeys } from './owned.ts';
import type { Pace } from './pace.ts';
import type { KindPolicy } from './policy.ts';
import { isRefused } from './refused-write.ts';
import { mirrorRights } from './rights.ts';
import type { Memory, Scene } from './scene.ts';
import { Settled } from './settled.ts';
import type { Tallies } from './tally.ts';
import { noteUnserved } from './unserved.ts';
import { isBare, isServed, mirrorWatches, type WatchedPlanes } from './watches.ts';

export interface KindMirrorOptions extends Omit<WatchedPlanes, 'onChange' | 'isNews'> {
  readonly policy: KindPolicy;
  readonly installation: string;
  /** Project and hub are one API server. */
  readonly single: boolean;
  readonly pace: Pace;
  /** As whom entries of statuses are written upstream. */
  readonly gatewayControllerName: string;
  readonly lag: Lag;
  /** Of statuses on their way up. */
  readonly rising: Lag;
  readonly tallies: Tallies;
  readonly emptied: EmptiedKinds;
}

/** A flip of everything at once, and a first start, wait for the hub's answers, one for each object: so many are under way at a time. */
const workers = 16;

/** One request for each upstream object: its copy on the hub, wherever that may stand, is what the object and the policy make it. */
export function kindMirror(options: KindMirrorOptions): Controller {
  const { policy, projects, hub, lag, rising, engaged } = options;
  const { kind } = policy;
  const rules: Rules = {
    policy,
    selection: parseSelector(policy.selector ?? ''),
    installation: options.installation,
    single: options.single,
    bare: isBare({ policy }),
    controllerName: options.gatewayControllerName,
  };
  const memory: Memory = {
    pace: options.pace,
    answers: new Answers(),
    echoes: new Echoes(),
    settled: new Settled(),
    tallies: options.tallies,
    places: options.places,
    emptied: options.emptied,
    unkept: new Unkept(),
  };
  const owned = ownedKeys(policy);
  const of = ({ cluster, key }: ReconcileRequest): LagKey => ({ cluster, id: kind.id, key });
  const risen = (copy: KubeObject): void => {
    const mapped = requestOfCopy(kind, copy, engaged);
    if (mapped.at === 'request') rising.seen(of(mapped.request));
  };
  return defineController({
    name: mirrorName(kind),
    watches: mirrorWatches(rules, {
      ...options,
      onChange: (request) => lag.seen(of(request)),
      isNews: policy.status.direction === 'up' ? tellingOfMoves(memory.echoes.isNews, risen) : memory.echoes.isNews,
    }),
    writes: mirrorRights(policy, { project: projects.plane, hub: hub.plane }),
    reads: [
      ...(policy.guardsSecrets ? guardReads(hub.plane) : []),
      ...(kind.id === Secret.id ? policiesFirstReads(projects.plane, hub.plane) : []),
    ],
    events: [projects.plane],
    workers,
    async reconcile(request, context) {
      const look = lag.begin(of(request));
      const rise = rising.begin(of(request));
      let wrote = false;
      const scene = sceneOf(request, context, {
        options,
        rules,
        owned,
        memory,
        onWrite: () => (wrote = true),
        landed: () => look.settled({ wrote }),
        lifted: (outcome) => rise.settled(outcome),
      });
      try {
        const result = await mirrorOne(scene);
        look.settled({ wrote });
        rise.settled({ wrote: false });
        return result;
      } catch (error) {
        if (error instanceof ClusterNotReadyError && !isServed(hub, rules)) noteUnserved(scene);
        // What is refused for ever is behind nothing: it hurts itself only.
        for (const way of [look, rise]) {
          if (isRefused(error)) way.settled({ wrote: false });
          else way.failed();
        }
        throw error;
      }
    },
  });
}

interface Staging {
  readonly options: KindMirrorOptions;
  readonly rules: Rules;
  readonly owned: Scene['owned'];
  readonly memory: Memory;
  readonly onWrite: () => void;
  readonly landed: Scene['landed'];
  readonly lifted: Scene['lifted'];
}

function sceneOf({ cluster, key }: ReconcileRequest, context: ReconcileContext, staging: Staging): Scene {
  const { options, rules, owned, memory, onWrite, landed, lifted } = staging;
  const { namespace = '', name } = parseKey(key);
  const { group, kind, apiVersion } = rules.policy.kind;
  const target = { cluster, group, kind, namespace, name };
  const project = context.cluster(options.projects, cluster);
  const hub = context.cluster(options.hub);
  const { signal, clock, log, again } = context;
  return {
    rules,
    owned,
    target,
    id: upstreamKey(target),
    project,
    hub,
    memory,
    clock,
    signal,
    log,
    landed,
    lifted,
    again,
    tell: ({ about, ...said }) =>
      context.record(project, { ...said, action: 'Mirror', regarding: { apiVersion, kind, metadata: about.metadata } }),
    write: async (write) => {
      onWrite();
      return hub.write(write, { signal });
    },
  };
}
