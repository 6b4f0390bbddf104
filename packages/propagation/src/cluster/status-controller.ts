/** Asks members how they are, and what they serve. */
import { deepEqual, hasFinalizer, isDeleting, type KarmadaCluster, keyOf, setCondition } from '@lifeline/core';
import { textAt } from '../manifest.ts';
import type { Plane } from '../runtime/plane.ts';
import { type Part, type Run, workersOf } from '../runtime/run.ts';
import { conditions, finalizers } from '../words.ts';
import { type ApiEnablements, apiEnablements } from './api-enablements.ts';
import { type Probe, Readiness } from './readiness.ts';

export function clusterStatusController(run: Run): Part {
  const { clock, hub, members, settings } = run;
  const readiness = new Readiness(clock, {
    failureMs: settings.failureThresholdMs,
    successMs: settings.successThresholdMs,
  });

  const workers = workersOf(run, {
    name: 'cluster-status',
    hop: 'cluster',
    count: settings.workers.clusters,
    async reconcile(name, signal) {
      const cluster = hub.clusters.store.get(name);
      const member = members.get(name);
      if (!cluster) return readiness.forget(name);
      if (!member || !hasFinalizer(cluster, finalizers.cluster)) throw new Error(`cluster ${name} is not set up yet`);
      const probe = await healthOf(member.plane, signal);
      const ready = readiness.judge(cluster, probe);
      const found = probe === 'healthy' && ready.status === 'True' ? await collect(member.plane, signal) : undefined;
      await hub.plane.changeStatus(
        hub.heldCluster(name),
        (held) => {
          let noted = held.status?.conditions ?? [];
          if (found) noted = [...setCondition(noted, complete, clock.now())];
          noted = [...setCondition(noted, ready, clock.now())];
          const status: KarmadaCluster['status'] = { ...held.status, ...found, conditions: noted };
          return deepEqual(status, held.status) ? held : { ...held, status };
        },
        signal,
      );
      return { after: settings.probeEveryMs };
    },
  });

  return {
    workers: [workers],
    watch() {
      hub.clusters.subscribe((event) => {
        if (event.type === 'malformed') return;
        if (event.type !== 'updated' || !isDeleting(event.object)) workers.add(keyOf(event.object));
      });
    },
  };
}

const complete = {
  type: conditions.completeApis,
  status: 'True',
  reason: 'Complete',
  message: 'All API enablements were collected',
} as const;

/** A server that does not know `/readyz` is asked for `/healthz`. */
async function healthOf(plane: Plane, signal: AbortSignal): Promise<Probe> {
  try {
    let { status } = await plane.ask('/readyz', signal);
    if (status === 404) ({ status } = await plane.ask('/healthz', signal));
    return status === 200 ? 'healthy' : 'unreachable';
  } catch (error) {
    if (signal.aborted) throw error;
    return 'unreachable';
  }
}

async function collect(
  plane: Plane,
  signal: AbortSignal,
): Promise<{ readonly kubernetesVersion: string; readonly apiEnablements: ApiEnablements }> {
  const { body } = await plane.ask('/version', signal);
  return { kubernetesVersion: textAt(body, 'gitVersion'), apiEnablements: await apiEnablements(plane, signal) };
}
