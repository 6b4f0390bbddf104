/** What binds requests to the connection they are sent on. */
import { linkAbort, type Transport } from '@lifeline/core';

/** A transport whose requests end with the connection they were sent on. @param life the connection's */
export function connection(transport: Transport, life: AbortSignal): Transport {
  return async (request, { signal, admit }) => {
    const linked = linkAbort(signal, life);
    try {
      const response = await transport(request, { signal: linked.signal, admit });
      return { ...response, body: releasing(response.body, () => linked[Symbol.dispose]()) };
    } catch (error) {
      linked[Symbol.dispose]();
      throw error;
    }
  };
}

/** A generator would not do: returned before its first `next`, it never runs its `finally`. */
function releasing(body: AsyncIterable<Uint8Array>, release: () => void): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = body[Symbol.asyncIterator]();
      return {
        async next() {
          try {
            const result = await iterator.next();
            if (result.done) release();
            return result;
          } catch (error) {
            release();
            throw error;
          }
        },
        async return() {
          release();
          await iterator.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
