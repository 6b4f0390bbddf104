import type { DescMessage } from '@bufbuild/protobuf';
import { isJsonObject, type JsonValue } from '@lifeline/core';

/** Keys of the JSON form that no field can have: names of fields are letters, digits and `_`. */
export const formKeys = {
  /** Of an `Any`: its type URL. Beside it stand the fields of the message. */
  type: '@type',
  /** A message as base64 of its bytes, where no other form holds all of it. */
  bytes: '@bytes',
  /** Fields that the descriptors do not have: `[{no, wireType, data}]`, data in base64, in the order of the wire. */
  unknown: '@unknown',
} as const;

/** Key of the value of a type with a form of its own, inside of an `Any`. */
export const ownFormKey = 'value';

/** Where the type's name begins in the type URL of an `Any`. */
export const typeNameOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

export const anyName = 'google.protobuf.Any';

/** Types with a form of their own in protobuf's JSON: a duration is `"5s"`, a wrapped number a number. */
export function hasOwnForm({ typeName }: DescMessage): boolean {
  return typeName.startsWith('google.protobuf.') && ownForms.has(typeName.slice('google.protobuf.'.length));
}

const ownForms: ReadonlySet<string> = new Set([
  'Duration',
  'Timestamp',
  'FieldMask',
  'Struct',
  'Value',
  'ListValue',
  'DoubleValue',
  'FloatValue',
  'Int64Value',
  'UInt64Value',
  'Int32Value',
  'UInt32Value',
  'BoolValue',
  'StringValue',
  'BytesValue',
]);

/** The type's URL as Envoy writes it. */
export const typeUrl = (typeName: string): string => `type.googleapis.com/${typeName}`;

/** Whether the JSON is a message's bytes, and no `Any`'s. */
export const isOpaque = (json: JsonValue): json is { readonly [formKeys.bytes]: string } =>
  isJsonObject(json) && Object.hasOwn(json, formKeys.bytes) && !Object.hasOwn(json, formKeys.type);
