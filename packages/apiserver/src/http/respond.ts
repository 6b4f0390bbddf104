/** Answers, in the form that the client asked for. */
import { type JsonObject, stringifyJson, type TransportResponse } from '@lifeline/core';
import { ApiError } from '../api-error.ts';
import { apiVersionOf, type StoredObject } from '../resources/resource.ts';
import { present, presentItem } from '../resources/spoken.ts';
import { bytesBody } from './body.ts';
import { ByteCache } from './byte-cache.ts';
import type { Call } from './call.ts';
import { encode, utf8 } from './encode.ts';
import { includeObjectOf, metadataOf, tableOf, type TableOptions } from './table/table.ts';

export interface Reply {
  /** Default 200. */
  readonly code?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Answers with an object of the resource that was called, given in its stored form. @throws ApiError 406 */
export function respondObject(call: Call, stored: StoredObject, reply?: Reply): TransportResponse {
  const { output } = call;
  switch (output.as) {
    case 'Object':
      if (output.encoding === 'json' && !output.pretty) return respondBytes(call, objectBytes(call, stored), reply);
      return respondJson(call, present(call, stored), reply);
    case 'Table': {
      const { resourceVersion } = stored.metadata;
      const table = tableOf([present(call, stored)], { resourceVersion }, { ...tableOptions(call), headers: true });
      return respondJson(call, table, reply);
    }
    case 'PartialObjectMetadata':
      return respondJson(call, metadataOf(stored, output.version), reply);
    case 'PartialObjectMetadataList':
      throw notAList(call);
  }
}

/** Custom resources meet the projection itself; built-in kinds are looked at before. */
function notAList({ resource: { decoding, kind } }: Call): ApiError {
  if (decoding === 'structural') return new ApiError({ code: 500, reason: '', message: 'content is not a list' });
  const message = `you requested PartialObjectMetadataList, but the requested object is not a list (*core.${kind})`;
  return new ApiError({ code: 406, reason: 'NotAcceptable', message });
}

/** Answers with a list of objects in their stored form. @throws ApiError 406 */
export function respondList(call: Call, stored: readonly StoredObject[], metadata: JsonObject): TransportResponse {
  const { resource, version, output } = call;
  switch (output.as) {
    case 'Object': {
      // Lists of custom resources say, too, that they do not go on.
      const open = resource.decoding === 'structural' ? { continue: '' } : {};
      const apiVersion = apiVersionOf(resource, version.name);
      const head = { kind: resource.listKind, apiVersion, metadata: { ...open, ...metadata } };
      if (output.encoding === 'json' && !output.pretty) {
        const items = stored.map((object) => itemBytes(call, object));
        return respondBytes(call, listBytes(`${stringifyJson(head).slice(0, -1)},"items":[`, items));
      }
      return respondJson(call, { ...head, items: stored.map((object) => presentItem(call, object)) });
    }
    case 'Table': {
      const objects = stored.map((object) => present(call, object));
      return respondJson(call, tableOf(objects, metadata, { ...tableOptions(call), headers: true }));
    }
    case 'PartialObjectMetadata': {
      const type = resource.decoding === 'typed' ? `core.${resource.listKind}` : 'unstructured.UnstructuredList';
      const message = `you requested PartialObjectMetadata, but the requested object is a list (*${type})`;
      throw new ApiError({ code: 406, reason: 'NotAcceptable', message });
    }
    case 'PartialObjectMetadataList':
      return respondJson(call, {
        kind: 'PartialObjectMetadataList',
        apiVersion: `meta.k8s.io/${output.version}`,
        metadata,
        items: stored.map((object) => metadataOf(object, output.version)),
      });
  }
}

/** Answers with JSON that is no object of the resource: a Status, a Scale, a review. */
export const respondJson = (
  call: Pick<Call, 'signal' | 'output'>,
  value: JsonObject,
  reply?: Reply,
): TransportResponse => respondBytes(call, encode(value, call.output), reply);

const respondBytes = (
  { signal, output }: Pick<Call, 'signal' | 'output'>,
  bytes: Uint8Array,
  { code = 200, headers }: Reply = {},
): TransportResponse => ({
  status: code,
  headers: { 'content-type': `application/${output.encoding}`, 'content-length': String(bytes.length), ...headers },
  body: bytesBody(bytes, signal),
});

/** @throws ApiError 400 */
export const tableOptions = ({ resource, version, output, query, receivedAt }: Call): TableOptions => ({
  resource,
  version,
  metaVersion: output.version,
  include: includeObjectOf(query),
  now: receivedAt,
});

const cache = new ByteCache();

/** A stored object in the version that was asked for, as JSON. */
const objectBytes = (call: Call, stored: StoredObject): Uint8Array =>
  cache.bytes(stored, formOf(call, 'object'), () => utf8(stringifyJson(present(call, stored))));

const itemBytes = (call: Call, stored: StoredObject): Uint8Array =>
  call.resource.decoding === 'typed'
    ? cache.bytes(stored, formOf(call, 'item'), () => utf8(stringifyJson(presentItem(call, stored))))
    : objectBytes(call, stored);

/** One line of a watch, as JSON: shared by all watches that speak one version. */
export const eventBytes = (call: Call, type: string, stored: StoredObject): Uint8Array =>
  cache.bytes(stored, formOf(call, type), () => eventLine(type, stringifyJson(present(call, stored))));

/** The same of its metadata. */
export const metadataEventBytes = (call: Call, type: string, stored: StoredObject): Uint8Array => {
  const { version } = call.output;
  return cache.bytes(stored, `${type} metadata ${version}`, () =>
    eventLine(type, stringifyJson(metadataOf(stored, version))),
  );
};

/** @param object as JSON */
export const eventLine = (type: string, object: string): Uint8Array => utf8(`{"type":"${type}","object":${object}}\n`);

const formOf = ({ resource, version }: Call, what: string): string =>
  `${what} ${resource.storedAs === undefined ? '' : resource.id} ${version.name}`;

const comma = ','.charCodeAt(0);
const tail = utf8(']}');

function listBytes(head: string, items: readonly Uint8Array[]): Uint8Array {
  const start = utf8(head);
  let length = start.length + tail.length + Math.max(0, items.length - 1);
  for (const item of items) length += item.length;
  const bytes = new Uint8Array(length);
  bytes.set(start);
  let at = start.length;
  for (const [index, item] of items.entries()) {
    if (index > 0) bytes[at++] = comma;
    bytes.set(item, at);
    at += item.length;
  }
  bytes.set(tail, at);
  return bytes;
}
