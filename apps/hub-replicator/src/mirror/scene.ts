/** One look at one object: where to read and write, and what is remembered between looks. */
import {
  type Clock,
  type Kind,
  type KubeObject,
  objectKey,
  type ObjectKey,
  PlatformError,
  type UpstreamName,
} from '@lifeline/core';
import type { Log, RecordedEvent, ScopedCluster, Store, Write, WriteResult } from '@lifeline/k8s';
import type { Unkept } from '../status-up/carry.ts';
import type { Answers } from './answers.ts';
import type { Rules } from './decide.ts';
import type { Echoes } from './echoes.ts';
import type { OwnedKeys } from './owned.ts';
import type { Pace } from './pace.ts';
import type { Settled } from './settled.ts';
import type { EmptiedKinds } from '../sweep/emptied-kinds.ts';
import type { TakenPlaces } from './taken-places.ts';
import type { Tallies } from './tally.ts';

/** What one kind's controller remembers. All of it may be lost: then it is found out again. */
export interface Memory {
  readonly pace: Pace;
  readonly answers: Answers;
  readonly echoes: Echoes;
  readonly settled: Settled;
  readonly tallies: Tallies;
  readonly places: TakenPlaces;
  readonly emptied: EmptiedKinds;
  readonly unkept: Unkept;
}

export interface Scene {
  readonly rules: Rules;
  readonly owned: OwnedKeys;
  readonly target: UpstreamName;
  /** The request as one text. */
  readonly id: string;
  readonly project: ScopedCluster;
  readonly hub: ScopedCluster;
  readonly memory: Memory;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Tells the owner of the upstream object. */
  tell(event: Omit<RecordedEvent, 'regarding' | 'action'> & { readonly about: KubeObject }): void;
  /** The hub has what upstream has: what follows is not waited for. */
  landed(): void;
  /** Upstream says what follows from the hub's status; `wrote`: by a write of this look. */
  lifted(outcome: { readonly wrote: boolean }): void;
  /** Looks once more when this look has ended. */
  readonly again: () => void;
  /** Writes on the hub. */
  write<T extends KubeObject>(write: Write<T>): Promise<WriteResult<T>>;
}

/** From a cache. Undefined also for what its schema refuses: that is read live, since a carrier need not understand what it carries. */
export function cached<T extends KubeObject>(store: Store<T>, key: ObjectKey): T | undefined {
  try {
    return store.get(key);
  } catch (error) {
    if (error instanceof PlatformError && error.code === 'malformed-object') return undefined;
    throw error;
  }
}

export const upstreamKeyOf = ({ namespace, name }: UpstreamName): ObjectKey => objectKey({ namespace, name });

export const hubStore = ({ hub }: Scene, kind: Kind): Store<KubeObject> => hub.store(kind);
