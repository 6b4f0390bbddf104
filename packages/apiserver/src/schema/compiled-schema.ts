/** A schema that has been made ready for work, whoever it belongs to: built-in kinds and CRDs have the same. */
import type { JsonObject, JsonValue } from '@lifeline/core';
import type { Cause } from '../api-error.ts';

/** `JSONSchemaProps` of apiextensions.k8s.io/v1, with the extensions that built-in kinds carry for patches. */
export interface Schema {
  readonly description?: string;
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly format?: string;
  readonly nullable?: boolean;
  readonly default?: JsonValue;
  readonly enum?: readonly JsonValue[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-validations'?: readonly JsonObject[];
  /** Built-in kinds only: how a strategic merge patch treats a list or struct (`merge`, `replace`, `retainKeys`, `merge,retainKeys`). */
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
}

export interface ValidateOptions {
  /** What the object is to replace: what has not changed since is forgiven, so that a schema may become stricter. */
  readonly old?: JsonObject | undefined;
  /** For a write to the `status` subresource: nothing else is looked at, and messages name fields from there. Default false. */
  readonly statusOnly?: boolean | undefined;
}

/** All functions are pure, and return the value they got when there was nothing to do. Paths are as in `spec.list[0].field`. */
export interface CompiledSchema {
  /** Frozen. */
  readonly schema: Schema;
  /** Lower-case hex digest of the schema's canonical JSON: equal schemas of any number of servers share one compiled form. */
  readonly digest: string;
  /**
   * Without the fields that the schema does not know, and without nulls where it allows none and has no default. `apiVersion`, `kind`
   * and `metadata` at the root are never touched.
   */
  prune(object: JsonObject): JsonObject;
  /** Paths of the fields that {@link prune} would drop, sorted. */
  unknownFields(object: JsonObject): readonly string[];
  /** With defaults filled in; a `null` where the schema is not nullable and has a default counts as absent. Defaults are shared, frozen. */
  applyDefaults(object: JsonObject): JsonObject;
  /**
   * In the words of a real server. Numbers are as a server stores them; `int64` outside the safe range are JsonNumber. CEL rules are
   * not evaluated; where a real server would not come to them, it says so, and so does this.
   */
  validate(object: JsonObject, options?: ValidateOptions): readonly Cause[];
}
