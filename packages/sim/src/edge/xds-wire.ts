/**
 * Snapshots as the bytes that travel between Envoy Gateway and the hook. Resources are read and written one by one, and remembered by their
 * content: most of a call is what the last one had.
 */
import { deepFreeze, describeError, type JsonObject } from '@lifeline/core';
import { decodeMessage, encodeMessage, hookTypes } from '@lifeline/envoy-api';
import { type Frame, framed, framesOf } from './frames.ts';
import { HookError } from './hook.ts';
import { Memo } from './memo.ts';
import type { VirtualHost, XdsSnapshot } from './xds.ts';

type List = keyof XdsSnapshot;

const lists: readonly List[] = ['clusters', 'listeners', 'routes'];
const types: Readonly<Record<List, string>> = {
  clusters: hookTypes.cluster,
  listeners: hookTypes.listener,
  routes: hookTypes.routes,
};
const virtualHostType = 'envoy.config.route.v3.VirtualHost';
/** Field of a RouteConfiguration. */
const virtualHostsField = 2;
/** Fields of `PostTranslateModifyRequest`; `1` is its context. */
const requestFields: Readonly<Record<List, number>> = { clusters: 2, listeners: 4, routes: 5 };
/** Fields of `PostTranslateModifyResponse`. */
const answerFields: Readonly<Record<List, number>> = { clusters: 1, listeners: 3, routes: 4 };

/** A `PostTranslateModifyRequest`. */
export const requestBytes = (snapshot: XdsSnapshot): Uint8Array =>
  framed([{ field: 1, bytes: new Uint8Array() }, ...framesFor(snapshot, requestFields)]);

/** What a `PostTranslateModifyRequest` asks about. @throws HookError `INTERNAL` */
export const requestOf = (bytes: Uint8Array): XdsSnapshot => snapshotOf(bytes, requestFields);

/** A `PostTranslateModifyResponse`. */
export const answerBytes = (snapshot: XdsSnapshot): Uint8Array => framed(framesFor(snapshot, answerFields));

/** What a `PostTranslateModifyResponse` says. @throws HookError `INTERNAL`, as gRPC's client does on what it cannot read */
export const answerOf = (bytes: Uint8Array): XdsSnapshot => snapshotOf(bytes, answerFields);

const framesFor = (snapshot: XdsSnapshot, fields: Readonly<Record<List, number>>): Frame[] =>
  lists.flatMap((list) =>
    snapshot[list].map((each) => ({ field: fields[list], bytes: resourceBytes(list, each as JsonObject) })),
  );

function snapshotOf(bytes: Uint8Array, fields: Readonly<Record<List, number>>): XdsSnapshot {
  const frames = framesOf(bytes);
  const [clusters, listeners, routes] = lists.map((list) =>
    frames.filter(({ field }) => field === fields[list]).map((frame) => resourceOf(list, frame.bytes)),
  );
  return { clusters, listeners, routes } as unknown as XdsSnapshot;
}

function resourceBytes(list: List, resource: JsonObject): Uint8Array {
  if (list !== 'routes') return written(types[list], resource);
  const { virtual_hosts = [], ...rest } = resource as { readonly virtual_hosts?: readonly VirtualHost[] };
  const hosts = virtual_hosts.map((host) => ({
    field: virtualHostsField,
    bytes: written(virtualHostType, host as JsonObject),
  }));
  return Buffer.concat([written(types.routes, rest), framed(hosts)]);
}

function resourceOf(list: List, bytes: Uint8Array): JsonObject {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return resources.of(`${list} ${whole}`, () => {
    if (list !== 'routes') return read(types[list], bytes);
    const split = splitHosts(bytes);
    if (!split) return read(types.routes, bytes);
    const virtual_hosts = split.hosts.map((host) => {
      const text = Buffer.from(host).toString('latin1');
      return resources.of(`host ${text}`, () => read(virtualHostType, host));
    });
    return Object.freeze({ ...read(types.routes, split.rest), ...(virtual_hosts.length > 0 && { virtual_hosts }) });
  });
}

/** Undefined for a RouteConfiguration that has fields of other types: those are read in one piece. */
function splitHosts(bytes: Uint8Array): { hosts: readonly Uint8Array[]; rest: Uint8Array } | undefined {
  try {
    const frames = framesOf(bytes);
    const isHost = ({ field }: Frame): boolean => field === virtualHostsField;
    return {
      hosts: frames.filter(isHost).map((frame) => frame.bytes),
      rest: framed(frames.filter((frame) => !isHost(frame))),
    };
  } catch {
    return undefined;
  }
}

const encoded = new Memo<Uint8Array>(20_000);
const resources = new Memo<JsonObject>(20_000);

const written = (type: string, json: JsonObject): Uint8Array =>
  encoded.of(`${type} ${JSON.stringify(json)}`, () => encodeMessage(type, json));

function read(type: string, bytes: Uint8Array): JsonObject {
  try {
    return deepFreeze(decodeMessage(type, bytes));
  } catch (error) {
    throw new HookError('INTERNAL', `the message cannot be read: ${describeError(error)}`, { cause: error });
  }
}
