import { systemClock, systemRandom } from '@lifeline/core';
import { Api } from './api.ts';
import type { Target } from './target.ts';

/**
 * Waits until a server that compacts its history every few seconds by itself has forgotten what it knew when this was called.
 * @see kube-apiserver --etcd-compaction-interval
 */
export async function untilCompacted(target: Omit<Target, 'can'>): Promise<void> {
  const api = new Api({ ...target, clock: systemClock, limitMs: 60_000 });
  const namespaces = '/api/v1/namespaces';
  const { resourceVersion } = await api.request('GET', namespaces);
  // A compaction keeps the state at its own revision: there must be a later one.
  const metadata = { name: `conformance-compaction-${systemRandom.hex(4)}` };
  await api.request('POST', namespaces, { body: { apiVersion: 'v1', kind: 'Namespace', metadata } });
  await api.request('DELETE', `${namespaces}/${metadata.name}`);
  const query = { resourceVersion, resourceVersionMatch: 'Exact', limit: 1 };
  while ((await api.request('GET', namespaces, { query })).status !== 410) await systemClock.sleep(100);
}
