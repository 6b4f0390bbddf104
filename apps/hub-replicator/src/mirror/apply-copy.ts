/** Writes a copy, and whatever it takes that nothing stays in it that is not wanted. */
import { type JsonObject, type KubeObject, ownershipOf } from '@lifeline/core';
import { isKubeError, KubeError, type WriteResult } from '@lifeline/k8s';
import type { Applied } from './applied.ts';
import { bodyOfCopy, type Fit, fitOf, type WantedCopy } from './covers.ts';
import type { Scene } from './scene.ts';
import type { Place } from './standing.ts';
import { takeOver } from './take-over.ts';

export interface CopyWrite {
  readonly wanted: WantedCopy;
  readonly place: Place;
  /** The copy that stands there, as it was read; its managed fields are not needed. */
  readonly current: KubeObject | undefined;
}

/** How a copy fits; what the hub is known to make of what we apply is right. */
export function fitOfCopy({ owned, memory }: Scene, wanted: WantedCopy, copy: KubeObject): Fit {
  const fit = fitOf(wanted, copy, owned);
  if (fit.body === 'fits') return fit;
  const isKnown = memory.answers.isKnown(copy.metadata.uid ?? '', wanted.body, bodyOfCopy(copy));
  return isKnown ? { ...fit, body: 'fits' } : fit;
}

export const isRight = ({ metadata, body }: Fit): boolean => metadata === 'fits' && body === 'fits';

/**
 * The copy as the server has it then. Whatever the server still has there that is not wanted, though nobody else owns it, is the server's own
 * doing, and right from then on.
 */
export async function applyCopy(scene: Scene, write: CopyWrite): Promise<KubeObject> {
  const { wanted, current } = write;
  const object = appliedCopy(write);
  if (current && isDoubtful(scene, wanted, current)) {
    const found = await settleDoubt(scene, write, object);
    if (found) return found;
  }
  const copy = objectOf(await apply(scene, object));
  if (isRight(fitOfCopy(scene, wanted, copy))) return copy;
  const { patch } = takeOver(copy, object as unknown as JsonObject, scene.owned);
  if (!patch) return remembered(scene, wanted, copy);
  await scene.write({
    verb: 'patch',
    kind: scene.rules.policy.kind,
    name: write.place,
    patch: { type: 'json', body: patch },
  });
  return remembered(scene, wanted, objectOf(await apply(scene, object)));
}

/** Not ours yet, or holding something whose origin only its managed fields can tell. */
function isDoubtful(scene: Scene, wanted: WantedCopy, current: KubeObject): boolean {
  const { metadata, body } = fitOfCopy(scene, wanted, current);
  const isOurs = ownershipOf(current, scene.rules.installation) === 'ours';
  return !isOurs || (metadata === 'fits' && body === 'surplus');
}

/** Takes over what others own of ours. The copy, when it turns out that it was right. */
async function settleDoubt(
  scene: Scene,
  { wanted, place, current }: CopyWrite,
  object: Applied,
): Promise<KubeObject | undefined> {
  const { hub, rules, signal, owned } = scene;
  const { kind } = rules.policy;
  const live = await hub.live.find(kind, place, { signal });
  if (!live || live.metadata.uid !== current?.metadata.uid) return undefined;
  const { patch, removes } = takeOver(live, object as unknown as JsonObject, owned);
  if (patch) await scene.write({ verb: 'patch', kind, name: place, patch: { type: 'json', body: patch } });
  const { metadata, body } = fitOfCopy(scene, wanted, live);
  return !patch && !removes && metadata === 'fits' && body !== 'differs' ? remembered(scene, wanted, live) : undefined;
}

function remembered({ memory }: Scene, wanted: WantedCopy, copy: KubeObject): KubeObject {
  memory.answers.remember(copy.metadata.uid ?? '', wanted.body, bodyOfCopy(copy));
  return copy;
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
