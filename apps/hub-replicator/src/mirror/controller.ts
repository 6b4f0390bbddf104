/** Mirrors one kind from every project to the hub. */
import { parseKey, parseSelector, Secret, upstreamKey } from '@lifeline/core';
import {
  type Controller,
  defineController,
  isKubeError,
  type ReconcileContext,
  type ReconcileRequest,
  type ReconcileResult,
} from '@lifeline/k8s';
import { policiesFirstReads } from '../secrets/policies-first.ts';
import { guardReads } from '../secrets/read-guard.ts';
import { Unkept } from '../status-up/carry.ts';
import type { EmptiedKinds } from '../sweep/emptied-kinds.ts';
import { Answers } from './answers.ts';
import { decide, type Decision, needsProof, type Rules } from './decide.ts';
import { end } from './end.ts';
import { copiesOfProject, fromCaches, fromServers, knowsANamespaceOfItsCopies } from './gather.ts';
import { isSettled, keep } from './keep.ts';
import type { Lag } from './lag.ts';
import { ownedKeys } from './owned.ts';
import { Pace } from './pace.ts';
import type { KindPolicy } from './policy.ts';
import { mirrorRights } from './rights.ts';
import type { Memory, Scene } from './scene.ts';
import { Settled } from './settled.ts';
import type { Truncation } from './truncation.ts';
import { isBare, mirrorWatches, type WatchedPlanes } from './watches.ts';

export interface KindMirrorOptions extends Omit<WatchedPlanes, 'onChange'> {
  readonly policy: KindPolicy;
  readonly installation: string;
  /** Project and hub are one API server. */
  readonly single: boolean;
  readonly statusPaceMs: number;
  /** As whom entries of statuses are written upstream. */
  readonly gatewayControllerName: string;
  readonly lag: Lag;
  readonly truncation: Truncation;
  readonly emptied: EmptiedKinds;
}

/** One request for each upstream object: its copy on the hub, wherever that may stand, is what the object and the policy make it. */
export function kindMirror(options: KindMirrorOptions): Controller {
  const { policy, projects, hub, lag } = options;
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
    pace: new Pace(options.statusPaceMs),
    answers: new Answers(),
    settled: new Settled(),
    truncation: options.truncation,
    emptied: options.emptied,
    unkept: new Unkept(),
  };
  const owned = ownedKeys(policy);
  return defineController({
    name: `mirror-${kind.plural}`,
    watches: mirrorWatches(rules, {
      ...options,
      onChange: ({ cluster, key }) => lag.seen({ cluster, id: kind.id, key }),
    }),
    writes: mirrorRights(policy, { project: projects.plane, hub: hub.plane }),
    reads: [
      ...(policy.guardsSecrets ? guardReads(hub.plane) : []),
      ...(kind.id === Secret.id ? policiesFirstReads(projects.plane, hub.plane) : []),
    ],
    events: [projects.plane],
    async reconcile(request, context) {
      const look = lag.begin({ cluster: request.cluster, id: kind.id, key: request.key });
      let wrote = false;
      const scene = sceneOf(request, context, { options, rules, owned, memory, onWrite: () => (wrote = true) });
      try {
        const result = await mirrorOne(scene);
        look.settled({ wrote });
        return result;
      } catch (error) {
        // What will be refused for ever is behind nothing: it hurts itself only.
        if (isKubeError(error, 'invalid', 'too-large')) look.settled({ wrote: false });
        else look.failed();
        throw error;
      }
    },
  });
}

async function mirrorOne(scene: Scene): Promise<ReconcileResult> {
  const { rules } = scene;
  let seen = fromCaches(scene);
  let decision = decide(seen, rules);
  // The server that a cache follows may lag for minutes: nothing is made or ended on its word alone.
  if (needsProof(decision) || needsContent(scene, decision)) {
    seen = await fromServers(scene, seen);
    decision = decide(seen, rules);
  } else if (decision.at === 'keep' && rules.bare) return {};
  const { emptied } = scene.memory;
  if (seen.upstream) emptied.back(scene.target.cluster, rules.policy.kind.id);
  else if (decision.at === 'sweep') {
    const permit = emptied.permit({
      project: scene.target.cluster,
      id: rules.policy.kind.id,
      copies: copiesOfProject(scene),
      knowsTheirNamespaces: knowsANamespaceOfItsCopies(scene),
    });
    if (permit.at === 'wait') return { after: permit.afterMs };
    seen = await fromServers(scene, { ...seen, emptied: false });
    decision = decide(seen, rules);
    if (decision.at === 'end') emptied.deleted(decision.copies.length);
  }
  switch (decision.at) {
    case 'nothing':
      return {};
    case 'sweep':
      return { after: emptied.everyMs };
    case 'refused': {
      const { reason, note } = decision.refusal;
      if (seen.upstream) scene.tell({ about: seen.upstream, type: 'Warning', reason, note });
      return {};
    }
    case 'keep':
      return keep(scene, decision);
    case 'end':
      return end(scene, decision);
  }
}

/** What the guard asks for is in the content, and may change while neither the object nor its copy does. */
const needsContent = (scene: Scene, decision: Decision): boolean =>
  scene.rules.bare && decision.at === 'keep' && (scene.rules.policy.guardsSecrets || !isSettled(scene, decision));

interface Staging {
  readonly options: KindMirrorOptions;
  readonly rules: Rules;
  readonly owned: Scene['owned'];
  readonly memory: Memory;
  readonly onWrite: () => void;
}

function sceneOf({ cluster, key }: ReconcileRequest, context: ReconcileContext, staging: Staging): Scene {
  const { options, rules, owned, memory, onWrite } = staging;
  const { namespace = '', name } = parseKey(key);
  const { group, kind, apiVersion } = rules.policy.kind;
  const target = { cluster, group, kind, namespace, name };
  const project = context.cluster(options.projects, cluster);
  const hub = context.cluster(options.hub);
  const { signal, clock, log } = context;
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
    tell: ({ about, ...said }) =>
      context.record(project, { ...said, action: 'Mirror', regarding: { apiVersion, kind, metadata: about.metadata } }),
    write: async (write) => {
      onWrite();
      return hub.write(write, { signal });
    },
  };
}
