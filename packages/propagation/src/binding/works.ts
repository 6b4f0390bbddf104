/** Works as they are made and kept. */
import { deepEqual, isDeleting, keyOf, type Work } from '@lifeline/core';
import type { Draft } from '@lifeline/k8s';
import { joinedMetadata, labelOf } from '../manifest.ts';
import { namedBy, workKey } from '../names.ts';
import type { Run } from '../runtime/run.ts';
import { labels } from '../words.ts';
import { type WorkInputs, workOf } from './work-of.ts';

/** Creates or updates the Work that brings an object to a cluster. @throws Error while an earlier Work of that name is going away */
export async function ensureWork(
  { hub, random }: Run,
  inputs: Omit<WorkInputs, 'workId'>,
  signal: AbortSignal,
): Promise<void> {
  const key = workKey(inputs.cluster.metadata.name, namedBy(inputs.template));
  const existing = hub.works.store.get(key);
  const workId = (existing && labelOf(existing, labels.workId)) || random.uuid();
  const wanted = workOf({ ...inputs, workId });
  if (!existing) {
    await hub.plane.create(hub.works.kind, wanted, signal);
    return;
  }
  await hub.plane.change(hub.heldWork(key), (held) => refreshed(held, wanted), signal);
}

function refreshed(existing: Work, wanted: Draft<Work>): Work {
  if (isDeleting(existing)) throw new Error(`work ${keyOf(existing)} is being deleted`);
  const metadata = joinedMetadata(existing.metadata, wanted.metadata);
  const next: Work = { ...existing, metadata, spec: wanted.spec ?? {} };
  return deepEqual(next, existing) ? existing : next;
}
