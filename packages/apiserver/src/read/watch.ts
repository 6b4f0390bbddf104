import { type JsonObject, stringifyJson } from '@lifeline/core';
import { ApiError } from '../api-error.ts';
import type { Handler } from '../http/call.ts';
import { present } from '../http/respond.ts';
import { EventStream } from './event-stream.ts';

const encoder = new TextEncoder();

const line = (type: string, object: JsonObject): Uint8Array =>
  encoder.encode(`{"type":"${type}","object":${stringifyJson(object)}}\n`);

export const watchObjects: Handler = ({ store, view }, call) => {
  const { namespace, query, signal } = call;
  const resource = call.resource.storedAs ?? call.resource.id;
  const from = query.get('resourceVersion') ?? '';
  const onAbort = (): void => stream.break(signal.reason);
  const stream = new EventStream(() => {
    signal.removeEventListener('abort', onAbort);
    registration[Symbol.dispose]();
  });
  const registration = view.watches.add({
    resource,
    committed: ({ type, object }) => {
      if (namespace === undefined || object.metadata.namespace === namespace) {
        stream.push(line(type, present(call, object)));
      }
    },
    end: (error) => (error ? stream.break(error) : stream.end()),
  });
  signal.addEventListener('abort', onAbort, { once: true });
  if (from === '' || from === '0') {
    for (const object of store.list(resource, namespace)) stream.push(line('ADDED', present(call, object)));
  } else if (Number(from) < store.compactedTo) {
    const expired = new ApiError({
      code: 410,
      reason: 'Expired',
      message: `too old resource version: ${from} (${store.compactedTo})`,
    });
    stream.push(line('ERROR', expired.status));
    stream.end();
  } else {
    for (const { type, object } of store.since(Number(from), resource)) {
      if (namespace === undefined || object.metadata.namespace === namespace) {
        stream.push(line(type, present(call, object)));
      }
    }
  }
  return { status: 200, headers: { 'content-type': 'application/json' }, body: stream };
};
