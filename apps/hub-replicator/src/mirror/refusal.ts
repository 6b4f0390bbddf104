/** Why an object is not copied, as its owner is told. */
import type { UpstreamName } from '@lifeline/core';

/**
 * - `OtherInstallation`: another installation of Lifeline has a copy, or the namespace, where ours belongs
 * - `PlaceTaken`: something that is no copy of this object stands there
 * - `NameReserved`: only anchors are called so
 */
export type RefusalReason = 'OtherInstallation' | 'PlaceTaken' | 'NameReserved';

export interface Refusal {
  readonly reason: RefusalReason;
  readonly note: string;
}

const notes: Readonly<Record<RefusalReason, (what: string) => string>> = {
  OtherInstallation: (what) => `${what} belongs to another installation of Lifeline; this one leaves it alone.`,
  PlaceTaken: (what) => `${what} is there and is no copy of this object; it is left alone. Rename or remove it.`,
  NameReserved: (what) => `${what} is a name that Lifeline keeps for itself; choose another.`,
};

export const refusal = (reason: RefusalReason, what: string): Refusal => ({ reason, note: notes[reason](what) });

/** The object as it is named in a note about its copy: without the hub's names, which are nobody's business upstream. */
export const copyOfTarget = ({ kind, namespace, name }: UpstreamName): string =>
  `The place of the copy of ${kind} ${namespace}/${name}`;
