import {
  keyOf,
  type Kind,
  kindById,
  type KubeObject,
  matchesSelector,
  type ObjectKey,
  parseSelector,
} from '@lifeline/core';
import type { Delivery } from '../world/deliveries.ts';
import { Knowledge, type Selection } from './knowledge.ts';
import type { OracleContext, OwnWrite, Oracle } from './oracle.ts';
import { isDeletion } from './s1-no-wrong-delete.ts';
import { placeOf } from './subject.ts';
import { kindIdOf, type Truth } from './truth.ts';

/**
 * Judged where something is concluded: at a delete of ours, which needs some complete answer about the upstream that this process got; and
 * where a cache comes to believe that an object is gone.
 */
export const absentIsNotUnknown: Oracle = {
  id: 'S4',
  has: () => true,
  attach: (context) => {
    const knowledge = new Knowledge();
    return {
      settled: (sent) => knowledge.settled(sent),
      sent: (sent) => knowledge.sent(sent),
      delivery: (delivery) => {
        const missing = missingFrom(delivery, knowledge, context);
        if (missing) context.report(`the cache of ${nameOf(delivery)} lost ${missing}, which is there`);
        knowledge.delivered(delivery);
      },
      ownWrite: (write) => {
        const unknown = isDeletion(write) ? unheardUpstream(write, knowledge, context) : undefined;
        if (unknown) context.report(`deleted a copy of ${unknown}, of which it had heard nothing`, write);
      },
    };
  },
};

const nameOf = ({ actor, incarnation, cache }: Delivery): string =>
  `${actor}.${incarnation} for ${cache.kind} in ${cache.cluster}`;

/** An object that a delta says is not there, although it is, as it was before the question was asked. */
function missingFrom(delivery: Delivery, knowledge: Knowledge, { truth }: OracleContext): ObjectKey | undefined {
  const kind = kindById(delivery.cache.kind);
  if (!kind || !truth.has(delivery.plane)) return undefined;
  const { delta, plane } = delivery;
  const selection = knowledge.selection(delivery, kind);
  if (!selection) return undefined;
  const selects = selector(selection);
  switch (delta.type) {
    case 'applied':
      return undefined;
    case 'deleted': {
      const { name, namespace, uid } = delta.object.metadata;
      const now = truth.get(plane, kind, { name, namespace });
      return now?.metadata.uid === uid && now && selects(now) && isSettled(now, plane, truth) ? keyOf(now) : undefined;
    }
    case 'replaced': {
      const listed = new Set(delta.items.map(keyOf));
      const missing = truth
        .objects(plane, kind)
        .find(
          (object) =>
            !listed.has(keyOf(object)) && selects(object) && isOlder(object, { plane, kind, at: selection.at }, truth),
        );
      return missing && keyOf(missing);
    }
  }
}

const selector = ({ namespace, labelSelector }: Selection): ((object: KubeObject) => boolean) => {
  const requirements = labelSelector === undefined ? undefined : parseSelector(labelSelector);
  return ({ metadata }) =>
    (namespace === undefined || metadata.namespace === namespace) &&
    (requirements === undefined || matchesSelector(requirements, metadata.labels ?? {}));
};

/** Nobody has touched the object since. */
function isOlder(
  object: KubeObject,
  { plane, kind, at }: { plane: string; kind: Kind; at: number },
  truth: Truth,
): boolean {
  const states = [...truth.lately(plane, kind, { name: object.metadata, withinMs: truth.now - at })];
  return states.length === 1;
}

/** It was there, matching, for so long that no event of its not matching can be on its way. */
const isSettled = (object: KubeObject, plane: string, truth: Truth): boolean => {
  const kind = kindById(kindIdOf(object));
  return kind !== undefined && isOlder(object, { plane, kind, at: truth.now - 600_000 }, truth);
};

function unheardUpstream(write: OwnWrite, knowledge: Knowledge, { subject }: OracleContext): string | undefined {
  const object = write.revision.previous ?? write.revision.object;
  const upstream = subject.copies?.upstreamOf({ plane: write.plane, object });
  if (!upstream || write.by.request.method !== 'DELETE' || knowledge.hasHeard(write.by, upstream)) return undefined;
  return placeOf(upstream.plane, keyOf({ metadata: upstream.name }));
}
