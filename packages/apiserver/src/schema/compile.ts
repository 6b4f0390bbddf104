import { canonicalJson, type JsonObject, sha256Hex } from '@lifeline/core';
import type { Cause } from '../api-error.ts';
import { invalidValue } from '../field-error.ts';
import type { CompiledSchema, Schema, ValidateOptions } from './compiled-schema.ts';
import { fillDefaults } from './defaults.ts';
import { embeddedObjects } from './embedded.ts';
import { duplicateItems } from './list-types.ts';
import { pruneObject, unknownFields } from './prune.ts';
import { compileStructure, type Structure } from './structure.ts';
import type { Validator } from './validate/failure.ts';
import { createValidator } from './validate/validator.ts';

const bySchema = new WeakMap<Schema, CompiledSchema>();
const byDigest = new Map<string, CompiledSchema>();

/**
 * Equal schemas give the same compiled form, for as long as the process lives. The schema is frozen.
 *
 * Cheap: what a schema means is worked out when it is first needed.
 */
export function compileSchema(schema: Schema): CompiledSchema {
  let compiled = bySchema.get(schema);
  if (!compiled) {
    const digest = sha256Hex(canonicalJson(schema), 32);
    compiled = byDigest.get(digest) ?? new LazySchema(schema, digest);
    byDigest.set(digest, compiled);
    bySchema.set(schema, compiled);
  }
  return compiled;
}

class LazySchema implements CompiledSchema {
  readonly schema: Schema;
  readonly digest: string;
  #structure: Structure | undefined;
  #validator: Validator | undefined;
  #statusValidator: Validator | undefined;

  constructor(schema: Schema, digest: string) {
    this.schema = schema;
    this.digest = digest;
  }

  get structure(): Structure {
    return (this.#structure ??= compileStructure(this.schema));
  }

  prune(object: JsonObject): JsonObject {
    return pruneObject(object, this.structure);
  }

  unknownFields(object: JsonObject): readonly string[] {
    return unknownFields(object, this.structure);
  }

  applyDefaults(object: JsonObject): JsonObject {
    return fillDefaults(object, this.structure) as JsonObject;
  }

  validate(object: JsonObject, { old, statusOnly = false }: ValidateOptions = {}): readonly Cause[] {
    const causes = [
      ...(statusOnly ? this.#statusFlaws(object, old) : this.#flaws(object, old)),
      ...(statusOnly ? [] : embeddedObjects(object, this.structure)),
      ...this.#duplicates(object, old),
    ];
    return causes.length > 0 && this.structure.hasRules && causes.some(({ reason }) => blocksRules.has(reason))
      ? [...causes, rulesSkipped]
      : causes;
  }

  #flaws(object: JsonObject, old: JsonObject | undefined): readonly Cause[] {
    const failure = (this.#validator ??= createValidator(this.schema))(object);
    return failure?.({ name: '', root: '' }, old && { value: old, structure: this.structure }) ?? [];
  }

  #statusFlaws({ status }: JsonObject, old: JsonObject | undefined): readonly Cause[] {
    const schema = this.schema.properties?.['status'];
    const structure = this.structure.properties.get('status');
    if (status === undefined || !schema || !structure) return [];
    const failure = (this.#statusValidator ??= createValidator(schema))(status);
    const before = old?.['status'];
    return (
      failure?.({ name: '', root: 'status' }, before === undefined ? undefined : { value: before, structure }) ?? []
    );
  }

  /** An object that had duplicates before may keep them. */
  #duplicates(object: JsonObject, old: JsonObject | undefined): readonly Cause[] {
    const found = duplicateItems(object, this.structure);
    return found.length > 0 && old && duplicateItems(old, this.structure).length > 0 ? [] : found;
  }
}

/** With these, a real server does not come to CEL rules. */
const blocksRules: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const rulesSkipped = invalidValue(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);
