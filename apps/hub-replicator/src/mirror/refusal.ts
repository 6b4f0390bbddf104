/** Why an object is not copied, as its owner is told. */
import type { UpstreamName } from '@lifeline/core';
import type { HubPlace } from './taken-places.ts';

/**
 * - `OtherInstallation`: another installation of Lifeline has a copy, or the namespace, where ours belongs
 * - `PlaceTaken`: something that is no copy of this object stands there
 * - `NameReserved`: only anchors are called so
 */
export type RefusalReason = 'OtherInstallation' | 'PlaceTaken' | 'NameReserved';

export interface Refusal {
  readonly reason: RefusalReason;
  readonly note: string;
  /** What on the hub is in the way: for operators, never for the owner. Undefined: nothing is. */
  readonly place?: HubPlace | undefined;
}

/** The owner of the object can see nothing of the hub, and change nothing there. */
const operatorsOnly =
  'It is left alone, and the object is not carried. Only an operator of the platform can free the place.';

const notes: Readonly<Record<RefusalReason, (what: string) => string>> = {
  OtherInstallation: (what) => `${what} belongs to another installation of Lifeline. ${operatorsOnly}`,
  PlaceTaken: (what) => `${what} is taken by something that is no copy of this object. ${operatorsOnly}`,
  NameReserved: (what) => `${what} is a name that Lifeline keeps for itself; choose another.`,
};

export const refusal = (reason: RefusalReason, what: string, place?: HubPlace): Refusal => ({
  reason,
  note: notes[reason](what),
  place,
});

/** The object as it is named in a note about its copy: without the hub's names, which are nobody's business upstream. */
export const copyOfTarget = ({ kind, namespace, name }: UpstreamName): string =>
  `The place of the copy of ${kind} ${namespace}/${name}`;
