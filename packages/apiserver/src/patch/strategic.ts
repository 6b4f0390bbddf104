import { applyMergePatch, type JsonObject } from '@lifeline/core';
import type { Schema } from '../schema/compiled-schema.ts';

/** @throws ApiError 400 or 422, as a real server says it */
export const applyStrategicMergePatch = (_schema: Schema, original: JsonObject, patch: JsonObject): JsonObject =>
  applyMergePatch(original, patch) as JsonObject;
