/** Where a mirror meets what else is done for its objects: the guard of Secrets, and status on its way up. */
import type { KubeObject } from '@lifeline/core';
import type { ReconcileResult } from '@lifeline/k8s';
import { pendingSecretWrites } from '../secrets/guard.ts';
import { guardRecheckMs, readGuard } from '../secrets/read-guard.ts';
import { carryStatusUp } from '../status-up/carry.ts';
import type { Decision } from './decide.ts';
import { takenOff } from './end.ts';
import type { Scene } from './scene.ts';

/**
 * For kinds that name Secrets: holds the object back, and takes its copy off the hub, while the guard says so. Undefined when nothing is in
 * its way.
 */
export async function bar(
  scene: Scene,
  { upstream, current, place }: Extract<Decision, { at: 'keep' }>,
): Promise<ReconcileResult | undefined> {
  const { rules, target, id, memory, hub, project, signal, clock } = scene;
  const { kind, guardsSecrets } = rules.policy;
  if (!guardsSecrets) return undefined;
  const inputs = { policy: upstream, copy: current, project, hub, namespace: place.namespace };
  const { at, missing } = await readGuard(inputs, signal);
  memory.tallies.held.set(target.cluster, id, at !== 'open');
  if (at === 'open') return undefined;
  if (at === 'closed' && current) await takenOff(scene, kind, [current]);
  const told = { controllerName: rules.controllerName, now: clock.now() };
  for (const write of pendingSecretWrites(upstream, missing, told)) await project.write(write, { signal });
  return { after: guardRecheckMs };
}

/** Says upstream what the hub's aggregate says. */
export async function lift(scene: Scene, upstream: KubeObject, copy: KubeObject): Promise<void> {
  const { rules, target, project, memory, clock, signal } = scene;
  const { policy, controllerName } = rules;
  const wrote = await carryStatusUp(
    { policy, upstream, copy, cluster: target.cluster, controllerName, now: clock.now() },
    { project, unkept: memory.unkept, signal },
  );
  scene.lifted({ wrote });
}
