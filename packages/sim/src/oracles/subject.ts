/**
 * What an app tells the oracles about itself. It is read off the app's own declarations where there are any; the rest is a few pure
 * functions over objects. An oracle whose part is left out has no subject, and says so.
 */
import type { Kind, KubeObject, MonotonicMs, ObjectKey, ObjectName } from '@lifeline/core';
import type { WriteRight } from '@lifeline/k8s';
import type { Plane } from '../world/plane.ts';
import type { OracleId } from './catalogue.ts';
import type { Truth } from './truth.ts';

/** The object that another one follows from. */
export interface Upstream {
  readonly plane: string;
  readonly kind: Kind;
  readonly name: ObjectName;
  readonly uid: string;
}

/** An object, and where it is. */
export interface Placed<T extends KubeObject = KubeObject> {
  readonly plane: string;
  readonly object: T;
}

/** For S1, S4 and S6: what is ours downstream, and what it follows from. */
export interface CopyRules {
  /** Where copies are. */
  readonly planes: readonly string[];
  /** It carries our mark: the installation label, or whatever says that we made it. */
  readonly isOurs: (placed: Placed) => boolean;
  /** Undefined: it names none. */
  readonly upstreamOf: (placed: Placed) => Upstream | undefined;
  /** Whether a live upstream object is to have a copy. */
  readonly isSelected: (upstream: Placed) => boolean;
  /** Copies, and anchors, that follow from an upstream object. */
  readonly copiesOf: (upstream: Placed, truth: Truth) => readonly Placed[];
  /** Planes that say whether anything may be done: who cannot ask them does nothing. */
  readonly authorities?: readonly string[] | undefined;
  /** When the project of a plane was seen to be gone; undefined: it is there. */
  readonly goneSince?: ((plane: string) => MonotonicMs | undefined) | undefined;
}

/** For S7: the Lease that a writer must hold. */
export interface ElectionRules {
  readonly plane: string;
  readonly lease: ObjectName;
}

/** For S7, where several replicas write at once: each for what hangs on the Leases that it holds. */
export interface ShardRules {
  /** It is one of those Leases. */
  readonly isLease: (placed: Placed) => boolean;
  /** The one that a write of this object hangs on; undefined: none. */
  readonly leaseOf: (placed: Placed) => ElectionRules | undefined;
}

/** For S2: whose an object is. */
export interface TenantRules {
  /** The marker that a project plants in its values, by plane. */
  readonly markers: ReadonlyMap<string, string>;
  /** The plane whose values an object may hold; undefined: no project's. */
  readonly projectOf: (placed: Placed) => string | undefined;
}

/** For S5: a text of ours that mirrors something upstream. */
export interface Mirrored {
  /** Undefined: there is none. */
  readonly text: string | undefined;
  /** The values that upstream had lately, the newest last; undefined among them: none, so no text. */
  readonly upstream: readonly unknown[];
}

/** For S9. */
export interface ClaimRules {
  /** The Instance uids that a claim is for, over all planes: one entry a claim. */
  readonly claims: (truth: Truth) => readonly { readonly instance: string; readonly granted: boolean }[];
  /** The uid of the Instance whose quota gate this change opened; undefined: it opened none. */
  readonly opened: (placed: Placed, previous: KubeObject) => string | undefined;
}

/** For L1 to L6: what should be there, and what is, as comparable values under names that people understand. */
export interface Output {
  readonly oracle: Extract<OracleId, 'L1' | 'L2' | 'L3' | 'L4' | 'L5' | 'L6'>;
  /** A pure function of the inputs' truth. */
  readonly want: (truth: Truth) => ReadonlyMap<string, unknown>;
  readonly have: (truth: Truth) => ReadonlyMap<string, unknown>;
}

/** For L7: what an idle world costs. */
export interface IdleRules {
  /** The pace at which every known key is looked at again. */
  readonly floorMs: number;
  /** Requests, other than watches and renewals, that one replica may send a floor. */
  readonly requestsPerFloor: (truth: Truth) => number;
}

/** For S8: hooks are judged where they are asked; this is what else an app promises. */
export interface HookRules {
  /** Resources that the app may change, by name; all others leave as they came. */
  readonly mayChange: (name: string, truth: Truth) => boolean;
}

export interface Subject {
  /** Named in findings. */
  readonly app: string;
  readonly replicas: readonly string[];
  /** Its controllers' own tables. */
  readonly writes: readonly WriteRight[];
  /** The plane of those tables that a plane of the world is. */
  readonly planeOf: (plane: Plane) => string;
  /** Finalizers that it sets and releases. */
  readonly finalizers?: readonly string[] | undefined;
  readonly copies?: CopyRules | undefined;
  readonly election?: ElectionRules | undefined;
  /** In place of `election`. */
  readonly shards?: ShardRules | undefined;
  /** Written for ever, in an idle world too, and by no controller: Leases of shards, a heartbeat. */
  readonly isHousekeeping?: ((placed: Placed) => boolean) | undefined;
  /** Made by several controllers of the app, all alike: it does not matter which of them is first. */
  readonly isShared?:
    ((target: { readonly plane: string; readonly kind: Kind; readonly name: ObjectName }) => boolean) | undefined;
  readonly tenants?: TenantRules | undefined;
  readonly mirrors?: ((placed: Placed, truth: Truth) => readonly Mirrored[]) | undefined;
  readonly claims?: ClaimRules | undefined;
  readonly hook?: HookRules | undefined;
  /** It writes conditions. */
  readonly conditions?: boolean | undefined;
  readonly outputs?: readonly Output[] | undefined;
  readonly idle?: IdleRules | undefined;
}

/** `target mirrors/a`. */
export const placeOf = (plane: string, key: ObjectKey): string => `${plane} ${key}`;
