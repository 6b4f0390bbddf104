/** A Go struct of Kubernetes, as far as clients can tell: what it looks like in JSON and in protobuf. */
import type { JsonValue } from '@lifeline/core';

export interface MessageType {
  /** As Go prints it, without its package: `ObjectMeta`. */
  readonly name: string;
  readonly description?: string | undefined;
  /** By JSON name, in Go's order. */
  readonly fields: ReadonlyMap<string, Field>;
  /** By protobuf number. */
  readonly byNumber: ReadonlyMap<number, Field>;
  /** Fields that are written though they are empty: what a client sees of an object that says nothing about them. */
  readonly always: readonly Field[];
}

export interface Field {
  /** In JSON. */
  readonly name: string;
  /** In protobuf. */
  readonly number: number;
  readonly type: FieldType;
  /** A Go pointer: an empty value differs from none. */
  readonly pointer: boolean;
  /** Written though it is empty. */
  readonly always: boolean;
  readonly required: boolean;
  readonly default?: JsonValue | undefined;
  readonly description?: string | undefined;
  /** `x-kubernetes-list-type`, or `x-kubernetes-map-type` of a map or struct. */
  readonly merging?: 'atomic' | 'set' | 'map' | undefined;
  readonly mapKeys?: readonly string[] | undefined;
  readonly patchStrategy?: string | undefined;
  readonly patchMergeKey?: string | undefined;
}

export type FieldType =
  | {
      readonly form: 'scalar';
      readonly scalar: Scalar;
      /** As Go prints it: `v1.ServiceType`. */ readonly goName: string;
    }
  | { readonly form: 'message'; readonly message: MessageType }
  | { readonly form: 'list'; readonly items: FieldType }
  | { readonly form: 'map'; readonly values: FieldType };

export type Scalar =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'float64'
  /** Base64 in JSON. */
  | 'bytes'
  | 'Time'
  | 'MicroTime'
  | 'Quantity'
  | 'IntOrString'
  /** Any JSON, carried as text. */
  | 'FieldsV1'
  | 'RawExtension'
  | 'JSON';
