/** Step 5: from a Work to the member's object. */
import {
  type DesiredCondition,
  isConditionTrue,
  isDeleting,
  type KarmadaCluster,
  keyOf,
  parseKey,
  setCondition,
  type Work,
} from '@lifeline/core';
import { generationChanged, type ObjectEvent } from '@lifeline/k8s';
import type { Member } from '../cluster/member.ts';
import { annotationOf, type Manifest, withoutFinalizer } from '../manifest.ts';
import { clusterOfNamespace } from '../names.ts';
import { onNews } from '../runtime/on-news.ts';
import { type Part, type Run, workersOf } from '../runtime/run.ts';
import { serverWords } from '../runtime/server-words.ts';
import { annotations, conditions, finalizers } from '../words.ts';
import { type Applier, isManaged, NotSyncedError } from './applier.ts';
import { hasDrifted } from './drift.ts';

export function executionController(run: Run, applier: Applier): Part {
  const { clock, hub, members, settings } = run;

  const workers = workersOf(run, {
    name: 'execution',
    hop: 'execution',
    count: settings.workers.works,
    async reconcile(key, signal) {
      const work = hub.works.store.get(key);
      if (!work) return;
      const cluster = clusterOf(key);
      if (!cluster) throw new Error(`no cluster for ${key}`);
      if (isDeleting(work)) return finish(work, cluster, signal);
      await note(key, dispatching(work), signal);
      if (work.spec.suspendDispatching) return;
      await apply(key, work, signal);
    },
  });

  /** Rule 11: nothing wakes it when the cluster is ready again: it is tried when its own time has come. */
  async function apply(key: string, work: Work, signal: AbortSignal): Promise<void> {
    const member = readyMember(clusterOf(key));
    try {
      await applier.apply(work, member, signal);
    } catch (error) {
      if (signal.aborted || error instanceof NotSyncedError) throw error;
      const message = `Failed to apply all manifests (0/1): ${serverWords(error)}`;
      await note(key, { type: conditions.applied, status: 'False', reason: 'AppliedFailed', message }, signal);
      throw error;
    }
    const message = 'Manifest has been successfully applied';
    await note(key, { type: conditions.applied, status: 'True', reason: 'AppliedSuccessful', message }, signal);
  }

  /** Rules 25 and 26: the Work goes right after the call, whether the object is gone or not. A cluster that is leaving keeps what it has. */
  async function finish(work: Work, cluster: KarmadaCluster, signal: AbortSignal): Promise<void> {
    if (isReady(cluster)) {
      const member = readyMember(cluster);
      if (work.spec.preserveResourcesOnDeletion) await applier.release(work, member, signal);
      else await applier.remove(work, member, signal);
    } else if (!isDeleting(cluster)) throw notReady(cluster.metadata.name);
    await hub.plane.change(hub.heldWork(keyOf(work)), (held) => withoutFinalizer(held, finalizers.work), signal);
  }

  /** The cluster that a Work is for, while it is there. */
  function clusterOf(key: string): KarmadaCluster | undefined {
    const name = clusterOfNamespace(parseKey(key).namespace ?? '');
    return name === undefined ? undefined : hub.clusters.store.get(name);
  }

  function readyMember(cluster: KarmadaCluster | undefined): Member {
    const name = cluster?.metadata.name ?? '';
    const member = members.get(name);
    if (!cluster || !member || !isReady(cluster)) throw notReady(name);
    return member;
  }

  const note = (key: string, condition: DesiredCondition, signal: AbortSignal): Promise<void> =>
    hub.plane.changeStatus(
      hub.heldWork(key),
      (held) => {
        const noted = setCondition(held.status?.conditions, condition, clock.now());
        return noted === held.status?.conditions
          ? held
          : { ...held, status: { ...held.status, conditions: [...noted] } };
      },
      signal,
    );

  /** Rules 17 and 18, new engine: whatever became of an object that carried our label. */
  function onMember(event: ObjectEvent<Manifest>, member: Member): void {
    if (settings.engine !== 'new' || event.type === 'malformed') return;
    const known = event.type === 'updated' ? event.old : event.object;
    if (!isManaged(known)) return;
    const isNews =
      event.type === 'deleted' ||
      (!applier.isOwnWrite(member, event.object) && (event.type === 'added' || hasDrifted(event.old, event.object)));
    const work = workKeyOf(known);
    if (isNews && work !== undefined) workers.add(work);
  }

  return {
    workers: [workers],
    watch() {
      members.subscribe(onMember);
      onNews(hub.works, generationChanged, (work) => workers.add(keyOf(work)));
    },
  };
}

/** The Work that an object says it is from. */
export function workKeyOf(object: Manifest): string | undefined {
  const namespace = annotationOf(object, annotations.workNamespace);
  const name = annotationOf(object, annotations.workName);
  return namespace && name ? `${namespace}/${name}` : undefined;
}

const isReady = ({ status }: KarmadaCluster): boolean => isConditionTrue(status?.conditions, conditions.ready);

const notReady = (name: string): Error => new Error(`cluster(${name}) not ready`);

const dispatching = ({ spec }: Work): DesiredCondition =>
  spec.suspendDispatching
    ? {
        type: conditions.dispatching,
        status: 'False',
        reason: 'SuspendDispatching',
        message: 'Work dispatching is in a suspended state.',
      }
    : {
        type: conditions.dispatching,
        status: 'True',
        reason: 'Dispatching',
        message: 'Work is being dispatched to member clusters.',
      };
