/** A Go struct of Kubernetes, as far as clients can tell: what it looks like in JSON and in protobuf. */
import type { JsonValue } from '@lifeline/core';

export interface MessageType {
  /** As Go prints it, without its package: `ObjectMeta`. */
  readonly name: string;
  readonly description?: string | undefined;
  /** Patches take it as a whole. */
  readonly atomic: boolean;
  /** By JSON name, in Go's order; those of embedded structs among them. */
  readonly fields: ReadonlyMap<string, Field>;
  /** By protobuf number. Embedded structs are messages of their own here. */
  readonly byNumber: ReadonlyMap<number, Field>;
  /** Fields that are written though they are empty: what a client sees of an object that says nothing about them. */
  readonly always: readonly Field[];
}

export interface Field {
  /** In JSON; `...` for an embedded struct, which has none. */
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
  /** `x-kubernetes-list-type`; of a map or a struct `x-kubernetes-map-type`. */
  readonly merging?: 'atomic' | 'set' | 'map' | undefined;
  readonly mapKeys?: readonly string[] | undefined;
  readonly patchStrategy?: string | undefined;
  readonly patchMergeKey?: string | undefined;
}

export type FieldType =
  | {
      readonly form: 'scalar';
      readonly scalar: Scalar;
      /** As Go prints it: `v1.ServiceType`. */
      readonly goName: string;
    }
  | { readonly form: 'message'; readonly message: MessageType }
  | {
      readonly form: 'list';
      readonly items: FieldType;
      /** In protobuf it is a message with the list as field 1. */
      readonly wrapped: boolean;
    }
  | { readonly form: 'map'; readonly values: FieldType }
  /** A struct that is written as the one of its fields that is set, chosen by its JSON type: `JSONSchemaPropsOrBool`. */
  | { readonly form: 'either'; readonly message: MessageType };

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
  /** Any JSON. In protobuf it is a message that carries it as text. */
  | 'Json';
