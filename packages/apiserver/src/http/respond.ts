/** Answers, in the form that the client asked for. */
import { type JsonObject, stringifyJson, type TransportResponse } from '@lifeline/core';
import { apiVersionOf, type StoredObject } from '../resources/resource.ts';
import { bytesBody } from './body.ts';
import type { Call } from './call.ts';

export interface Reply {
  /** Default 200. */
  readonly code?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const encoder = new TextEncoder();

/** A stored object as the version that was asked for shows it. */
export function present({ resource, version }: Pick<Call, 'resource' | 'version'>, stored: StoredObject): StoredObject {
  const object = resource.fromStored?.(stored) ?? stored;
  const apiVersion = apiVersionOf(resource, version.name);
  return object.apiVersion === apiVersion ? object : ({ ...object, apiVersion } as StoredObject);
}

/** Answers with an object of the resource that was called, given in its stored form. */
export const respondObject = (call: Call, stored: StoredObject, reply?: Reply): TransportResponse =>
  respondJson(call, present(call, stored), reply);

/** Answers with JSON that is no object of the resource: a Status, a Scale, a review. */
export const respondJson = (
  call: Pick<Call, 'signal' | 'output'>,
  value: JsonObject,
  reply: Reply = {},
): TransportResponse => respondBytes(call, encoder.encode(stringifyJson(value)), reply);

export const respondBytes = (
  { signal }: Pick<Call, 'signal' | 'output'>,
  bytes: Uint8Array,
  { code = 200, headers = {} }: Reply = {},
): TransportResponse => ({
  status: code,
  headers: { 'content-type': 'application/json', ...headers },
  body: bytesBody(bytes, signal),
});
