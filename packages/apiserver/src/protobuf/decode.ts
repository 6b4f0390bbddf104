/** Bodies of `application/vnd.kubernetes.protobuf`: what kubectl's generators and typed Go clients send. */
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { JsonError, type JsonObject, TimeError } from '@lifeline/core';
import { badRequest } from '../api-error.ts';
import { bodySummary } from '../body-summary.ts';
import { goQuote } from '../go-text.ts';
import { builtinType } from '../resources/builtin/builtin-type.ts';
import { splitApiVersion } from '../resources/resource.ts';
import { decodeTyped } from '../schema/decode-typed.ts';
import { readMessage } from './message-reader.ts';

/** `k8s` and a zero byte. */
const prefix = [0x6b, 0x38, 0x73, 0];

/**
 * A body as JSON, as {@link decodeTyped} leaves it, `apiVersion` and `kind` included.
 * @param expected the kind that the request is about, for the error
 * @throws ApiError 400
 * @see kubernetes/apimachinery@v0.36.3 pkg/runtime/serializer/protobuf/protobuf.go
 */
export function decodeProtobuf(body: Uint8Array, expected: string): JsonObject {
  const unrecognized = (why: string): Error =>
    badRequest(`the object provided is unrecognized (must be of type ${expected}): ${why} (${bodySummary(body)})`);
  if (!prefix.every((byte, index) => body[index] === byte)) {
    throw unrecognized('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  }
  if (body.length === prefix.length) throw unrecognized('empty body');
  const { apiVersion, kind, raw } = attempt(() => readUnknown(body.subarray(prefix.length)), unrecognized);

  const { version } = splitApiVersion(apiVersion);
  const unusable = (why: string): Error =>
    badRequest(`${kind} in version ${goQuote(version)} cannot be handled as a ${expected}: ${why}`);
  const type = builtinType(apiVersion, kind);
  if (!type) throw unusable(`no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)}`);
  const object = attempt(() => decodeTyped(type, readMessage(type, raw)).object, unusable);
  return { apiVersion, kind, ...object };
}

function attempt<T>(read: () => T, refuse: (why: string) => Error): T {
  try {
    return read();
  } catch (error) {
    throw refuse(complaintOf(error));
  }
}

/** What Go says of broken bytes, as near as the reader tells what is broken. */
function complaintOf(error: unknown): string {
  if (error instanceof RangeError && error.message === 'premature EOF') return 'unexpected EOF';
  if (error instanceof JsonError || error instanceof TimeError) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  const wireType = /wire type (\d+)$/.exec(message)?.[1];
  return wireType === undefined ? `proto: ${message}` : `proto: illegal wireType ${wireType}`;
}

interface Unknown {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

/** `runtime.Unknown`: 1 the type (1 apiVersion, 2 kind), 2 the object's bytes, 3 and 4 unused. */
function readUnknown(bytes: Uint8Array): Unknown {
  let unknown: Unknown = { apiVersion: '', kind: '', raw: new Uint8Array() };
  for (const [number, value] of lengthDelimited(bytes)) {
    if (number === 2) unknown = { ...unknown, raw: value };
    if (number !== 1) continue;
    for (const [inner, text] of lengthDelimited(value)) {
      if (inner === 1) unknown = { ...unknown, apiVersion: Buffer.from(text).toString() };
      if (inner === 2) unknown = { ...unknown, kind: Buffer.from(text).toString() };
    }
  }
  return unknown;
}

function* lengthDelimited(bytes: Uint8Array): Generator<[number: number, value: Uint8Array]> {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (wireType === WireType.LengthDelimited) yield [number, reader.bytes()];
    else reader.skip(wireType, number);
  }
}
