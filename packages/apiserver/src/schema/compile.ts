import { canonicalJson, sha256Hex, type JsonValue } from '@lifeline/core';
import type { CompiledSchema, Schema } from './compiled-schema.ts';

/** Equal schemas give the same compiled form. */
export const compileSchema = (schema: Schema): CompiledSchema => ({
  schema,
  digest: sha256Hex(canonicalJson(schema as JsonValue), 32),
  prune: (object) => object,
  unknownFields: () => [],
  applyDefaults: (object) => object,
  validate: () => [],
});
