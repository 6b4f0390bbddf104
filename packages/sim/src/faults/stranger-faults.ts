/** Others write where we write. */
import { isDeleting, type JsonObject, keyOf, type Kind, kindById, type ObjectName } from '@lifeline/core';
import { isKubeError } from '@lifeline/k8s';
import { placeOf } from '../oracles/subject.ts';
import { kindIdOf } from '../oracles/truth.ts';

import { targetOf } from '../world/target.ts';
import type { World } from '../world/world.ts';
import { between, type Fault, type FaultSite, numberArg, pick, textArg, together, undo } from './fault.ts';
import { isElection } from './on-write.ts';

/** A finalizer that belongs to nobody in the world. */
export const strangersFinalizer = 'stranger.example.com/hold';
/** How all begins that strangers leave behind. */
export const strangersMark = 'stranger.example.com/';
const touched = 'stranger.example.com/touched';

type Site = Pick<FaultSite, 'world'>;

interface Thing {
  readonly plane: string;
  readonly kind: Kind;
  readonly name: ObjectName;
}

/** Edits as a stranger; false when somebody else was faster. What is not there any more is nobody's loss. */
async function edit({ world }: Site, { plane, kind, name }: Thing, body: JsonObject): Promise<boolean> {
  try {
    await world.hands('stranger').patch(plane, { kind, name }, { type: 'merge', body });
  } catch (error) {
    if (!isKubeError(error)) throw error;
    return !isKubeError(error, 'conflict');
  }
  return true;
}

/** Adds the stranger's finalizer, or takes it away, and leaves all others. */
async function hold(site: Site, thing: Thing, isHeld: boolean): Promise<void> {
  for (let done = false; !done;) {
    const object = site.world.truth.get(thing.plane, thing.kind, thing.name);
    const finalizers = object?.metadata.finalizers ?? [];
    if (!object || finalizers.includes(strangersFinalizer) === isHeld || (isHeld && isDeleting(object))) return;
    const wanted = isHeld
      ? [...finalizers, strangersFinalizer]
      : finalizers.filter((finalizer) => finalizer !== strangersFinalizer);
    const { resourceVersion } = object.metadata;
    done = await edit(site, thing, { metadata: { finalizers: wanted, ...(resourceVersion && { resourceVersion }) } });
  }
}

/** Lets go of all that the stranger holds, wherever it is. */
function letGo(site: FaultSite, held: ReadonlyMap<string, Thing>): void {
  for (const thing of held.values()) site.world.spawn(hold(site, thing, false));
}

/** Whatever a stranger still holds, since a plane came back from a backup or its own edit got lost, it lets go of now. */
export function letGoEverywhere(world: World): void {
  const held = new Map<string, Thing>();
  for (const { plane, revision } of world.audit.writes) {
    const kind = kindById(kindIdOf(revision.object));
    const now = kind && world.truth.get(plane, kind, revision.object.metadata);
    if (kind && now?.metadata.finalizers?.includes(strangersFinalizer))
      held.set(placeOf(plane, `${kind.id} ${keyOf(now)}`), { plane, kind, name: now.metadata });
  }
  for (const thing of held.values()) world.spawn(hold({ world }, thing, false));
}

/** F14: between a reader's read and its write somebody else writes: a finalizer, an annotation, a label. */
export const conflict: Fault = {
  id: 'F14',
  draw: (random) => ({
    args: {
      chance: pick(random, [0.3, 1]),
      how: pick(random, ['finalizer', 'finalizer', 'annotation', 'label']),
      limit: between(random, 1, 12),
    },
    forMs: between(random, 10, 60) * 1_000,
  }),
  begin: (site) => {
    const { world, step, random, fired } = site;
    const held = new Map<string, Thing>();
    const replicas = new Set(world.processes.names);
    let ended = false;
    let left = numberArg(step, 'limit', 5);
    const fault = world.wires.put((sent) => {
      const target = sent.request.method === 'PATCH' && !isElection(sent) ? targetOf(sent) : undefined;
      if (!target || !replicas.has(sent.actor) || left === 0 || random.next() >= numberArg(step, 'chance', 1))
        return undefined;
      left--;
      return (next) => async (request, options) => {
        const thing: Thing = { plane: sent.plane, ...target };
        // A request may have been held up on its way until after the end.
        if (!ended && world.truth.get(thing.plane, thing.kind, thing.name)) {
          fired();
          const value = String(random.int(1_000));
          switch (textArg(step, 'how') ?? '') {
            case 'finalizer': {
              const key = placeOf(thing.plane, `${thing.kind.id} ${keyOf({ metadata: thing.name })}`);
              await hold(site, thing, !held.has(key));
              if (!held.delete(key)) held.set(key, thing);
              break;
            }
            case 'label':
              await edit(site, thing, { metadata: { labels: { [touched]: value } } });
              break;
            default:
              await edit(site, thing, { metadata: { annotations: { [touched]: value } } });
          }
        }
        return next(request, options);
      };
    });
    return together(
      fault,
      undo(() => {
        ended = true;
        letGo(site, held);
      }),
    );
  },
};

/** F17: a user, or another installation, deletes or edits what we made, and what we hold on to. */
export const foreignHand: Fault = {
  id: 'F17',
  weight: () => 3,
  draw: (random, { replicas, writes }) => ({
    args: {
      how: pick(random, ['delete', 'labels', 'annotation', 'finalizer', 'finalizer', 'finalizer', 'our-finalizer']),
    },
    forMs: between(random, 10, 90) * 1_000,
    // Where there is something of ours, most of the time.
    at: random.int(4) === 0 ? undefined : { replica: pick(random, replicas), nth: between(random, 1, writes) },
  }),
  begin: (site) => {
    const held = new Map<string, Thing>();
    site.world.spawn(interfere(site, held));
    return undo(() => letGo(site, held));
  },
};

async function interfere(site: FaultSite, held: Map<string, Thing>): Promise<unknown> {
  const { step, world, random, fired } = site;
  const how = textArg(step, 'how') ?? '';
  const things = thingsOfOurs(site, how === 'our-finalizer');
  if (things.size === 0) return undefined;
  fired();
  if (how === 'finalizer') {
    // As a controller does that wants a word in every end.
    for (const [place, thing] of things) {
      held.set(place, thing);
      await hold(site, thing, true);
    }
    return undefined;
  }
  const thing = pick(random, [...things.values()]);
  switch (how) {
    case 'delete':
      return world.hands('stranger').delete(thing.plane, thing.kind, thing.name);
    case 'labels':
      return edit(site, thing, { metadata: { labels: null } });
    case 'our-finalizer':
      return edit(site, thing, { metadata: { finalizers: null } });
    default:
      return edit(site, thing, { metadata: { annotations: { [touched]: 'yes' } } });
  }
}

/** What our apps made, or, if asked for, what they hold by a finalizer: as far as it is still there. */
function thingsOfOurs({ world }: FaultSite, held: boolean): ReadonlyMap<string, Thing> {
  const replicas = new Set(world.processes.names);
  const things = new Map<string, Thing>();
  for (const { plane, by, revision } of world.audit.writes) {
    if (!by || !replicas.has(by.actor) || isElection(by)) continue;
    const { object, previous } = revision;
    const kind = kindById(kindIdOf(object));
    const now = kind && world.truth.get(plane, kind, object.metadata);
    if (!kind || !now || (held ? !now.metadata.finalizers?.length : previous !== undefined)) continue;
    things.set(placeOf(plane, `${kind.id} ${keyOf(object)}`), { plane, kind, name: object.metadata });
  }
  return things;
}
