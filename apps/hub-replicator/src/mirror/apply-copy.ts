/** Writes a copy, and whatever it takes that nothing stays in it that is not wanted. */
import { type DurationMs, type JsonObject, type KubeObject, later, ownershipOf } from '@lifeline/core';
import { isKubeError, KubeError, undeclaredFields, type WriteResult } from '@lifeline/k8s';
import type { Applied } from './applied.ts';
import { bodyOfCopy, type Fit, fitOf, type WantedCopy } from './covers.ts';
import { withoutFields } from './left-out.ts';
import type { Scene } from './scene.ts';
import type { Place } from './standing.ts';
import { takeOver } from './take-over.ts';

export interface CopyWrite {
  readonly wanted: WantedCopy;
  readonly place: Place;
  /** The copy that stands there, as it was read; its managed fields are not needed. */
  readonly current: KubeObject | undefined;
}

export interface AppliedCopy {
  /** As the server has it then. */
  readonly copy: KubeObject;
  /** Fields that the hub does not know, and has not got. */
  readonly leftOut: readonly string[];
}

/** What was left out is tried again after this, on the next look: the hub may know it by then. */
const leftOutMs: DurationMs = 600_000;
/** A server names one unknown field of each object at a time. */
const mostRounds = 20;

/** How a copy fits; what the hub is known to make of what we apply is right. */
export function fitOfCopy({ owned, memory, clock }: Scene, wanted: WantedCopy, copy: KubeObject): Fit {
  const fit = fitOf(wanted, copy, owned);
  if (fit.body === 'fits') return fit;
  const answer = { uid: copy.metadata.uid ?? '', wanted: wanted.body, answered: bodyOfCopy(copy) };
  return memory.answers.isKnown(answer, clock.monotonic()) ? { ...fit, body: 'fits' } : fit;
}

export const isRight = ({ metadata, body }: Fit): boolean => metadata === 'fits' && body === 'fits';

/**
 * Whatever the server still has there that is not wanted, though nobody else owns it, is the server's own doing, and right from then on.
 * What it does not know is left out.
 */
export async function applyCopy(scene: Scene, write: CopyWrite): Promise<AppliedCopy> {
  const { wanted, current } = write;
  if (current && isDoubtful(scene, wanted, current)) {
    const found = await settleDoubt(scene, write, appliedCopy(write));
    if (found) return found;
  }
  const { body, copy, leftOut } = await applyKnown(scene, write);
  const known = { ...write, wanted: { ...wanted, body } };
  const settled = (last: KubeObject): AppliedCopy => remembered(scene, wanted, { copy: last, leftOut });
  if (isRight(fitOfCopy(scene, known.wanted, copy))) return leftOut.length === 0 ? { copy, leftOut } : settled(copy);
  const object = appliedCopy(known);
  const { patch } = takeOver(copy, object as unknown as JsonObject, scene.owned);
  if (!patch) return settled(copy);
  await scene.write({
    verb: 'patch',
    kind: scene.rules.policy.kind,
    name: write.place,
    patch: { type: 'json', body: patch },
  });
  return settled(objectOf(await apply(scene, object)));
}

/** Applies as much of the body as the hub knows. */
async function applyKnown(
  scene: Scene,
  write: CopyWrite,
): Promise<AppliedCopy & { readonly body: WantedCopy['body'] }> {
  let { body } = write.wanted;
  const leftOut: string[] = [];
  for (let round = 1; ; round++) {
    try {
      const object = appliedCopy({ ...write, wanted: { ...write.wanted, body } });
      return { copy: objectOf(await apply(scene, object)), body, leftOut };
    } catch (error) {
      const less = withoutFields(body, undeclaredFields(error));
      if (less.leftOut.length === 0 || round === mostRounds) throw error;
      ({ body } = less);
      leftOut.push(...less.leftOut);
    }
  }
}

/** Not ours yet, or holding something whose origin only its managed fields can tell. */
function isDoubtful(scene: Scene, wanted: WantedCopy, current: KubeObject): boolean {
  const { metadata, body } = fitOfCopy(scene, wanted, current);
  const isOurs = ownershipOf(current, scene.rules.installation) === 'ours';
  return !isOurs || (metadata === 'fits' && body === 'surplus');
}

/** Takes over what others own of ours. The copy as it is, when it turns out that it was right. */
async function settleDoubt(
  scene: Scene,
  { wanted, place, current }: CopyWrite,
  object: Applied,
): Promise<AppliedCopy | undefined> {
  const { hub, rules, signal, owned } = scene;
  const { kind } = rules.policy;
  const live = await hub.live.find(kind, place, { signal });
  if (!live || live.metadata.uid !== current?.metadata.uid) return undefined;
  const { patch, removes } = takeOver(live, object as unknown as JsonObject, owned);
  if (patch) await scene.write({ verb: 'patch', kind, name: place, patch: { type: 'json', body: patch } });
  const { metadata, body } = fitOfCopy(scene, wanted, live);
  const isRightAsItIs = !patch && !removes && metadata === 'fits' && body !== 'differs';
  return isRightAsItIs ? remembered(scene, wanted, { copy: live, leftOut: [] }) : undefined;
}

function remembered({ memory, clock }: Scene, wanted: WantedCopy, { copy, leftOut }: AppliedCopy): AppliedCopy {
  const until = leftOut.length === 0 ? undefined : later(clock.monotonic(), leftOutMs);
  const { uid = '' } = copy.metadata;
  memory.answers.remember({ uid, wanted: wanted.body, answered: bodyOfCopy(copy), until });
  return { copy, leftOut };
}

/** With the uid of the copy that was judged: what stands there by now is another one's, or nothing, and then this fails. */
const appliedCopy = ({ wanted, place, current }: CopyWrite): Applied => ({
  ...wanted.body,
  metadata: {
    namespace: place.namespace,
    name: place.name,
    ...(current?.metadata.uid === undefined ? {} : { uid: current.metadata.uid }),
    labels: wanted.labels,
    annotations: wanted.annotations,
    ownerReferences: [wanted.owner],
  },
});

async function apply(scene: Scene, object: Applied): Promise<WriteResult<KubeObject>> {
  try {
    return await scene.write({ verb: 'apply', kind: scene.rules.policy.kind, object, force: true });
  } catch (error) {
    // A server takes the uid for a field that must not change: of another object, it is a conflict like any other.
    const isAnother = isKubeError(error, 'invalid') && error.causes.some((cause) => cause.startsWith('metadata.uid:'));
    throw isAnother
      ? new KubeError('conflict', 'another object stands in the place of the copy', { cause: error })
      : error;
  }
}

/** What an apply or a patch answers. @throws TypeError for the answer to a delete */
export function objectOf<T extends KubeObject>(result: WriteResult<T>): T {
  if (typeof result === 'string') throw new TypeError(`an object was expected, not ${result}`);
  return result;
}
