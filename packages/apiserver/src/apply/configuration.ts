/** Whether what was sent is a configuration of its resource, and a real server's words for one that is not. */
import { isJsonObject, type JsonObject, type JsonValue } from '@lifeline/core';
import { ApiError, badRequest } from '../api-error.ts';
import type { StoredObject } from '../resources/resource.ts';
import { configurationFlaws } from './fields/check.ts';
import type { Scope } from './ownership.ts';

/** @throws ApiError 400; 500, as on a real server, for one that is not of its type */
export function checkConfiguration({ resource, author, type }: Scope, applied: StoredObject): void {
  const { typeName, place } = describe(applied);
  if (applied.apiVersion !== author.apiVersion || applied.kind !== resource.kind) {
    throw badRequest(`invalid object type: ${typeName}`);
  }
  if (Array.isArray(applied.metadata.managedFields)) throw badRequest('metadata.managedFields must be nil');
  const flaws = configurationFlaws(type, applied);
  if (flaws.length === 0) return;
  const text = flaws.length === 1 ? flaws.join('') : ['errors:', ...flaws.map((flaw) => `  ${flaw}`)].join('\n');
  throw ownFault(`failed to create typed patch object (${place}; ${typeName}): ${text}`);
}

/**
 * Of one whose values have the right JSON types and still cannot be read.
 * @param complaint Go's, of the merged object
 * @see kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/structuredmerge.go Apply
 */
export function unconvertible(applied: JsonObject, complaint: string): ApiError {
  const { typeName, place } = describe(applied);
  const why = complaint
    .replace(/^json: cannot unmarshal number .* of type (int\d\d)$/, 'cannot convert float64 to $1')
    .replace(/^(?=illegal base64)/, 'error decoding from json: ');
  return ownFault(
    `failed to convert new object (${place}; ${typeName}) to proper version: ` +
      `unable to convert unstructured object to ${typeName}: ${why}`,
  );
}

/** What it is, as Go prints it (`/v1, Kind=ConfigMap` for the core group), and where. What was sent may be anything. */
function describe({ apiVersion, kind, metadata }: JsonObject): { readonly typeName: string; readonly place: string } {
  const { namespace, name } = isJsonObject(metadata) ? metadata : {};
  const groupVersion = textOf(apiVersion);
  return {
    typeName: `${groupVersion.includes('/') ? '' : '/'}${groupVersion}, Kind=${textOf(kind)}`,
    place: `${textOf(namespace)}/${textOf(name)}`,
  };
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

const ownFault = (message: string): ApiError => new ApiError({ code: 500, reason: '', message });
