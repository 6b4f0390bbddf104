/** The status that a copy carries down. */
import {
  annotations,
  isUrgentStatusChange,
  JsonError,
  type KubeObject,
  mirrorStatus,
  ownValue,
  parseJson,
} from '@lifeline/core';
import type { DesiredCopy } from './desired.ts';
import { mirrorAnnotations, type OwnedKeys } from './owned.ts';
import type { Pace, Times } from './pace.ts';
import type { KindPolicy } from './policy.ts';

type Annotations = Readonly<Record<string, string>>;

export interface CarriedStatus {
  /** What upstream has now. */
  readonly newest: Annotations;
  /** What to carry unless something else is written anyway: the newest, or what the copy has while a change waits for its turn. */
  readonly due: Annotations;
  /** How long the newest waits; 0 when it is due. */
  readonly waitMs: number;
  readonly truncated: boolean;
  /** The newest is not what the copy has. */
  readonly changes: boolean;
}

export interface CarriedInputs {
  readonly policy: KindPolicy;
  readonly upstream: KubeObject;
  readonly current: KubeObject | undefined;
  readonly desired: DesiredCopy;
  readonly owned: OwnedKeys;
  readonly key: string;
}

const none: CarriedStatus = { newest: {}, due: {}, waitMs: 0, truncated: false, changes: false };

export function carriedStatus(inputs: CarriedInputs, pace: Pace, times: Times): CarriedStatus {
  const { policy, upstream, current, desired, owned, key } = inputs;
  if (policy.status.direction !== 'mirror') return none;
  const present = current?.metadata.annotations ?? {};
  const status = (upstream as KubeObject & { status?: unknown }).status;
  const foreign = Object.entries(present).filter(([name]) => !owned.annotations.has(name));
  const others = { ...Object.fromEntries(foreign), ...desired.annotations };
  const mirror = mirrorStatus({ status, others, present, now: times.now });
  const has = Object.fromEntries(
    mirrorAnnotations.flatMap((name) => {
      const value = ownValue(present, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const { truncated } = mirror;
  if (mirrorAnnotations.every((name) => mirror.annotations[name] === has[name])) {
    pace.settled(key);
    return { newest: has, due: has, waitMs: 0, truncated, changes: false };
  }
  const text = mirror.annotations[annotations.upstreamStatus];
  const before = has[annotations.upstreamStatus];
  const { seenAt, waitMs } = pace.judge(
    key,
    { text, urgent: !current || isUrgent(before, text, truncated ? undefined : status) },
    times,
  );
  const newest =
    seenAt === times.now ? mirror.annotations : mirrorStatus({ status, others, present, now: seenAt }).annotations;
  return { newest, due: waitMs > 0 ? has : newest, waitMs, truncated, changes: true };
}

/**
 * Equal texts differ beside the text: somebody edited the copy.
 *
 * @param status what `after` is the text of, where that is at hand
 */
function isUrgent(before: string | undefined, after: string | undefined, status: unknown): boolean {
  if (before === undefined || after === undefined || before === after) return true;
  try {
    return isUrgentStatusChange(parseJson(before), status ?? parseJson(after));
  } catch (error) {
    if (error instanceof JsonError) return true;
    throw error;
  }
}
