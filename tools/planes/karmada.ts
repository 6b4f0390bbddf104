/** The small Karmada between the hub and the other planes of a set-up. */
import { findCondition, KarmadaCluster, later, systemClock, systemRandom, type Transport } from '@lifeline/core';
import { type Client, createClient } from '@lifeline/k8s';
import { connection } from '@lifeline/k8s/testing';
import { createPropagation, recordedSettings } from '@lifeline/propagation';
import type { RunningPlane } from './start-planes.ts';

const readyMs = 60_000;
const pollMs = 100;

/** Says which member is an edge and which a cell, for placements. */
const roleLabel = 'lifeline.dev/role';

/**
 * Joins every edge and cell to the hub, and resolves when all are ready.
 * @throws Error when one is not in time
 */
export async function startKarmada(
  planes: readonly RunningPlane[],
  stack: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<void> {
  const hub = planes.find(({ role }) => role === 'hub');
  if (!hub) throw new TypeError('no hub');
  const members = planes.filter(({ role }) => role === 'edge' || role === 'cell');
  const propagation = createPropagation({
    clock: systemClock,
    random: systemRandom,
    hub: { transport: hub.transport, baseUrl: hub.server },
    members: ({ server }, life) => connection(transportTo(members, server), life),
    // Karmada's own are for slower planes, and would only make users wait.
    settings: recordedSettings,
  });
  propagation.start();
  stack.defer(() => propagation.stop());
  const client = createClient({
    transport: hub.transport,
    baseUrl: hub.server,
    clock: systemClock,
    random: systemRandom,
    userAgent: 'planes',
  });
  await Promise.all(members.map((member) => join(client, member, signal)));
}

function transportTo(members: readonly RunningPlane[], server: string): Transport {
  const member = members.find((candidate) => candidate.server === server);
  if (member) return member.transport;
  return () => Promise.reject(new Error(`${server} is no plane of this set-up`));
}

async function join(client: Client, { name, role, server }: RunningPlane, signal: AbortSignal): Promise<void> {
  const cluster = {
    metadata: { name, labels: { [roleLabel]: role } },
    spec: { syncMode: 'Push', apiEndpoint: server },
  } as const;
  await client.create(KarmadaCluster, cluster, { signal });
  const deadline = later(systemClock.monotonic(), readyMs);
  for (;;) {
    const { status } = (await client.find(KarmadaCluster, { name }, { signal })) ?? {};
    if (findCondition(status?.conditions, 'Ready')?.status === 'True') return;
    if (systemClock.monotonic() > deadline)
      throw new Error(`the hub did not find ${name} ready in ${readyMs / 1000} s`);
    await systemClock.sleep(pollMs, signal);
  }
}
