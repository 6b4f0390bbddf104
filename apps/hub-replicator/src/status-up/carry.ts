/** Carries a hub status up: the reads and the write around `statusUp`. */
import { canonicalJson, epochMs, sha256Hex } from '@lifeline/core';
import { isKubeError, type ScopedCluster } from '@lifeline/k8s';
import { needsOwners, statusUp, type StatusUpInputs } from './status-up.ts';

/**
 * What a plane was sent and did not keep: a server of an older version drops fields that it does not know, and would be sent them again at
 * every look. By object, for as long as neither side changes. Bounded: the oldest are forgotten first.
 */
export class Unkept {
  readonly #limit: number;
  readonly #digests = new Map<string, string>();

  constructor(limit = 10_000) {
    this.#limit = limit;
  }

  has(uid: string, digest: string): boolean {
    return this.#digests.get(uid) === digest;
  }

  remember(uid: string, digest: string): void {
    this.#digests.delete(uid);
    this.#digests.set(uid, digest);
    for (const oldest of this.#digests.keys()) {
      if (this.#digests.size <= this.#limit) return;
      this.#digests.delete(oldest);
    }
  }
}

export interface CarryOptions {
  /** The upstream object's cluster. */
  readonly project: ScopedCluster;
  readonly unkept: Unkept;
  readonly signal: AbortSignal;
}

/**
 * Makes the upstream status say what the hub's aggregate says, see {@link statusUp}. True when that took a write.
 *
 * An object that is gone, and a plane whose version of the kind has no status, are no errors. Of a conflict the caller looks again.
 * @throws KubeError
 */
export async function carryStatusUp(
  inputs: StatusUpInputs,
  { project, unkept, signal }: CarryOptions,
): Promise<boolean> {
  const { upstream, policy } = inputs;
  const { namespace, name, uid = '' } = upstream.metadata;
  const live = needsOwners(inputs) ? await project.live.find(policy.kind, { namespace, name }, { signal }) : upstream;
  if (live?.metadata.uid !== uid) return false;
  const seen = { ...inputs, upstream: live };
  let wrote = false;
  for (const write of statusUp(seen)) {
    const digest = digestOf(seen);
    if (unkept.has(uid, digest)) return wrote;
    try {
      const answer = await project.write(write, { signal });
      const isKept = typeof answer !== 'object' || answer.metadata.resourceVersion !== live.metadata.resourceVersion;
      if (isKept) wrote = true;
      else unkept.remember(uid, digest);
    } catch (error) {
      if (!isKubeError(error, 'not-found', 'kind-missing')) throw error;
    }
  }
  return wrote;
}

/** Of all that would be sent, but for the time. It names the resourceVersion: any change of the object makes it another one. */
const digestOf = (inputs: StatusUpInputs): string => {
  const patches = statusUp({ ...inputs, now: epochMs(0) }).map((write) =>
    write.verb === 'patch' ? write.patch.body : {},
  );
  return sha256Hex(canonicalJson(patches), 32);
};
