/** Writes stamps: one annotation of a Gateway, by merge patch, with nothing read before. */
import {
  type Clock,
  deadlineAbort,
  describeError,
  type DurationMs,
  fieldManagers,
  Gateway,
  type ObjectKey,
} from '@lifeline/core';
import { type Client, isKubeError, type Log } from '@lifeline/k8s';

export interface StamperOptions {
  readonly clock: Clock;
  readonly client: Pick<Client, 'patch'>;
  readonly log: Log;
  /** The annotation's key. */
  readonly annotation: string;
  readonly signal: AbortSignal;
}

/** `absent`: there is no such Gateway, and nothing to do. */
export type Written = 'written' | 'absent' | 'failed';

/** Never rejects. @param value null: the annotation is taken off */
export type WriteStamp = (key: ObjectKey, value: string | null) => Promise<Written>;

/** Longer than an API server takes that is well; after it the Gateway is looked at again. */
const limitMs: DurationMs = 10_000;

export function stamper({ clock, client, log, annotation, signal }: StamperOptions): WriteStamp {
  return async (key, value) => {
    const at = key.indexOf('/');
    const name = { namespace: key.slice(0, at), name: key.slice(at + 1) };
    const body = { metadata: { annotations: { [annotation]: value } } };
    using life = deadlineAbort(clock, limitMs, signal);
    const options = { signal: life.signal, fieldManager: fieldManagers.retranslator };
    try {
      await client.patch({ kind: Gateway, name }, { type: 'merge', body }, options);
      return 'written';
    } catch (error) {
      if (isKubeError(error, 'not-found')) return 'absent';
      if (!signal.aborted) log.warn({ ...name, error: describeError(error) }, 'stamp not written: tries again');
      return 'failed';
    }
  };
}
