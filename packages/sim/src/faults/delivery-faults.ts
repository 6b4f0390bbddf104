/** Caches that learn late, not all, or twice. */
import { type DurationMs, keyOf, type KubeObject } from '@lifeline/core';
import type { CacheName, Delta } from '@lifeline/k8s';
import type { Delivery, DeliverySelection } from '../world/deliveries.ts';
import {
  between,
  type Fault,
  type FaultSite,
  numberArg,
  pick,
  pickSome,
  textArg,
  together,
  undo,
  wiresOf,
} from './fault.ts';

const cachesOf = (site: FaultSite): DeliverySelection => ({ ...wiresOf(site), kind: textArg(site.step, 'kind') });

type Deliver = (delta: Delta<KubeObject>) => void;

/** Hands over what was kept back, before anything that comes later; if the process stands still, it is told when it goes on. */
function toLiving(site: FaultSite, { actor, incarnation }: Delivery, deliver: () => void): void {
  const { processes } = site.world;
  if (processes.incarnation(actor) === incarnation) processes.process(actor).deliver('late knowledge', deliver);
}

/** F08: one kind of one plane stands still in a cache, while everything else goes on; then all of it comes, in order. */
export const skewedLag: Fault = {
  id: 'F08',
  draw: (random, { replicas, planes, kinds }) => {
    const replica = pickSome(random, replicas);
    return {
      args: {
        plane: pick(random, planes).name,
        kind: pick(random, kinds),
        ...(replica !== undefined && { replica }),
      },
      forMs: between(random, 1, 120) * 1_000,
    };
  },
  begin: (site) => {
    const kept: { delivery: Delivery; delta: Delta<KubeObject>; deliver: Deliver }[] = [];
    let ended = false;
    const fault = site.world.deliveries.put((delivery, deliver) => {
      // Another fault kept it back for longer than this one lasted.
      if (ended) return deliver(delivery.delta);
      site.fired();
      kept.push({ delivery, delta: delivery.delta, deliver });
    }, cachesOf(site));
    return undo(() => {
      ended = true;
      fault[Symbol.dispose]();
      for (const { delivery, delta, deliver } of kept.splice(0)) toLiving(site, delivery, () => deliver(delta));
    });
  },
};

interface Kept {
  readonly delivery: Delivery;
  readonly deliver: Deliver;
  readonly timer: Disposable;
}

/** F09: of the changes of one object that come close together only the last is seen; delete and create may look like one change. */
export const gap: Fault = {
  id: 'F09',
  draw: (random, { replicas, planes }) => {
    const replica = pickSome(random, replicas);
    const plane = pickSome(
      random,
      planes.map(({ name }) => name),
    );
    return {
      args: {
        ...(replica !== undefined && { replica }),
        ...(plane !== undefined && { plane }),
        waitMs: between(random, 1, 20) * 1_000,
        chance: pick(random, [0.3, 1]),
      },
      forMs: between(random, 10, 60) * 1_000,
    };
  },
  begin: (site) => {
    const { world, step, random, fired } = site;
    // Two caches of one process may follow the same kind: each informer has its name as an object of its own.
    const keptOf = new Map<CacheName, Map<string, Kept>>();
    const chance = numberArg(step, 'chance', 1);
    const waitMs: DurationMs = numberArg(step, 'waitMs', 5_000);
    const forget = (kept: Map<string, Kept>, key: string): boolean => {
      kept.get(key)?.timer[Symbol.dispose]();
      return kept.delete(key);
    };
    const letGo = (kept: Map<string, Kept>, key: string): void => {
      const last = kept.get(key);
      if (last && forget(kept, key)) toLiving(site, last.delivery, () => last.deliver(last.delivery.delta));
    };
    let ended = false;
    const fault = world.deliveries.put((delivery, deliver) => {
      const { delta } = delivery;
      if (ended) return deliver(delta);
      const kept = keptOf.get(delivery.cache) ?? new Map<string, Kept>();
      keptOf.set(delivery.cache, kept);
      if (delta.type === 'replaced') {
        // Newer than all that was kept back.
        for (const key of [...kept.keys()]) forget(kept, key);
        return deliver(delta);
      }
      const key = keyOf(delta.object);
      if (forget(kept, key)) fired();
      else if (random.next() >= chance) return deliver(delta);
      kept.set(key, { delivery, deliver, timer: world.timer(waitMs, () => letGo(kept, key)) });
    }, cachesOf(site));
    return together(
      fault,
      undo(() => {
        ended = true;
        for (const kept of keptOf.values()) for (const key of [...kept.keys()]) letGo(kept, key);
      }),
    );
  },
};

/** Events of a watch that may come again. */
const remembered = 16;

/** F10: on the wire events come twice, and older ones after newer ones, as from a server that lags; a cache is told the same thing twice. */
export const repeat: Fault = {
  id: 'F10',
  draw: (random, { replicas }) => {
    const replica = pickSome(random, replicas);
    return {
      args: { ...(replica !== undefined && { replica }), chance: pick(random, [0.3, 1]) },
      forMs: between(random, 5, 60) * 1_000,
    };
  },
  begin: (site) => {
    const { world, step, random, fired } = site;
    const chance = numberArg(step, 'chance', 1);
    const strikes = (): boolean => random.next() < chance && (fired(), true);
    const twice = world.deliveries.put((delivery, deliver) => {
      deliver(delivery.delta);
      if (delivery.delta.type !== 'replaced' && strikes()) deliver(delivery.delta);
    }, cachesOf(site));
    const watches = world.wires.watches(wiresOf(site));
    for (const watch of watches) {
      const sent: Uint8Array[] = [];
      watch.repeat((chunk) => {
        const again = strikes() ? [chunk, sent[random.int(Math.max(1, sent.length))] ?? chunk] : [];
        if (sent.push(chunk) > remembered) sent.shift();
        return again;
      });
    }
    return together(
      twice,
      undo(() => watches.forEach((watch) => watch.repeat(undefined))),
    );
  },
};
