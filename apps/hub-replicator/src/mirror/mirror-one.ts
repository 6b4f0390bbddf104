/** One look at one upstream object: what is there, what should become of it, and the doing of it. */
import type { ReconcileResult } from '@lifeline/k8s';
import { decide, type Decision, needsProof, type Seen } from './decide.ts';
import { end } from './end.ts';
import {
  copiesOfProject,
  fromCaches,
  fromServers,
  knowsAMappedNamespace,
  knowsAMappedNamespaceLive,
} from './gather.ts';
import { isSettled, keep } from './keep.ts';
import { isRefused, refusedWrite } from './refused-write.ts';
import { type Scene, upstreamKeyOf } from './scene.ts';

interface Judged {
  readonly seen: Seen;
  readonly decision: Decision;
}

/** Idempotent. @throws KubeError, `ClusterNotReadyError` */
export async function mirrorOne(scene: Scene): Promise<ReconcileResult> {
  const { rules, target } = scene;
  const glance = judged(scene, fromCaches(scene));
  // The server that a cache follows may lag for minutes: nothing is made or ended on its word alone.
  const isSure = !needsProof(glance.decision) && !needsContent(scene, glance.decision);
  if (isSure && glance.decision.at === 'keep' && rules.bare) {
    noteRefusal(scene, glance.decision);
    return {};
  }
  const found = isSure ? glance : judged(scene, await fromServers(scene, glance.seen));
  const { emptied } = scene.memory;
  if (found.seen.upstream) emptied.back(target.cluster, rules.policy.kind.id);
  else if (found.decision.at === 'nothing') {
    emptied.left(target.cluster, rules.policy.kind.id, () => copiesOfProject(scene));
  }
  if (found.decision.at === 'sweep' || (await isOfALostPlane(scene, found))) return sweepOne(scene, found.seen);
  return carryOut(scene, found);
}

const judged = (scene: Scene, seen: Seen): Judged => ({ seen, decision: decide(seen, scene.rules) });

/** What the guard asks for is in the content, and may change while neither the object nor its copy does. */
const needsContent = (scene: Scene, decision: Decision): boolean =>
  scene.rules.bare && decision.at === 'keep' && (scene.rules.policy.guardsSecrets || !isSettled(scene, decision));

/** The only copy of its kind would end, because of a plane that shows nothing of the kind, and has none of the Namespaces that it had. */
async function isOfALostPlane(scene: Scene, { seen, decision }: Judged): Promise<boolean> {
  const { kind, enabled } = scene.rules.policy;
  const isEnd = decision.at === 'end' && decision.copies.length > 0;
  if (!isEnd || seen.upstream || !enabled || scene.project.store(kind).size > 0) return false;
  return !(await knowsAMappedNamespaceLive(scene));
}

/** One of many copies whose project shows nothing of their kind. */
async function sweepOne(scene: Scene, seen: Seen): Promise<ReconcileResult> {
  const { emptied } = scene.memory;
  const permit = emptied.permit({
    project: scene.target.cluster,
    id: scene.rules.policy.kind.id,
    copies: copiesOfProject(scene),
    knowsTheirNamespaces: knowsAMappedNamespace(scene) && (await knowsAMappedNamespaceLive(scene)),
  });
  if (permit.at === 'wait') return { after: permit.afterMs };
  const found = judged(scene, await fromServers(scene, { ...seen, emptied: false }));
  if (found.decision.at === 'end') emptied.deleted(found.decision.copies.length);
  return carryOut(scene, found);
}

/** For the operator: what keeps the object from its place, or that nothing does. */
function noteRefusal({ memory, rules, target }: Scene, decision: Decision): void {
  const { reason, place } = decision.at === 'refused' ? decision.refusal : {};
  const seeker = { cluster: target.cluster, id: rules.policy.kind.id, key: upstreamKeyOf(target) };
  memory.places.found(seeker, reason && place && { ...place, reason });
}

async function carryOut(scene: Scene, { seen, decision }: Judged): Promise<ReconcileResult> {
  noteRefusal(scene, decision);
  try {
    switch (decision.at) {
      case 'nothing':
        scene.memory.tallies.forget(scene.target.cluster, scene.id);
        return {};
      case 'sweep':
        return { after: scene.memory.emptied.everyMs };
      case 'refused': {
        const { reason, note } = decision.refusal;
        if (seen.upstream) scene.tell({ about: seen.upstream, type: 'Warning', reason, note });
        return {};
      }
      case 'keep':
        return await keep(scene, decision);
      case 'end':
        return await end(scene, decision);
    }
  } catch (error) {
    if (seen.upstream && isRefused(error)) {
      scene.tell({ about: seen.upstream, type: 'Warning', ...refusedWrite(error, scene.target) });
    }
    throw error;
  }
}
