import type { TransportResponse } from '@lifeline/core';

type Body = TransportResponse['body'];

const done: IteratorResult<Uint8Array, undefined> = Object.freeze({ done: true, value: undefined });

/** A body that is there already. Read after the exchange was aborted, it rejects with the reason. */
export const bytesBody = (bytes: Uint8Array, signal: AbortSignal): Body => ({
  [Symbol.asyncIterator]() {
    let left = bytes.length > 0;
    return {
      async next(): Promise<IteratorResult<Uint8Array, undefined>> {
        if (!left) return done;
        signal.throwIfAborted();
        left = false;
        return { done: false, value: bytes };
      },
      async return(): Promise<IteratorResult<Uint8Array, undefined>> {
        left = false;
        return done;
      },
    };
  },
});
