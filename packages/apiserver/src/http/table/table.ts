/** Objects as rows of a `meta.k8s.io` Table: what `kubectl get` shows. */
import {
  type EpochMs,
  type JsonObject,
  JsonNumber,
  type JsonValue,
  type PrinterColumn,
  stringifyJson,
} from '@lifeline/core';
import { badRequest } from '../../api-error.ts';
import type { Resource, ResourceVersion, StoredObject } from '../../resources/resource.ts';
import { ageOf } from './human-duration.ts';
import { jsonPath } from './json-path.ts';

/** What comes along with each row. */
export type IncludeObject = 'Metadata' | 'Object' | 'None';

export interface TableOptions {
  readonly resource: Resource;
  readonly version: ResourceVersion;
  readonly metaVersion: 'v1' | 'v1beta1';
  readonly include: IncludeObject;
  readonly now: EpochMs;
}

/** @throws ApiError 400 */
export function includeObjectOf(query: URLSearchParams): IncludeObject {
  const text = query.get('includeObject') ?? '';
  if (text === '' || text === 'Metadata') return 'Metadata';
  if (text === 'Object' || text === 'None') return text;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: "${text}": must be 'Metadata', 'Object', 'None', or empty`,
  );
}

const ageColumn: PrinterColumn = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
  description: 'CreationTimestamp is a timestamp: when the object came to be.',
};

const columnsOf = ({ columns = [ageColumn] }: ResourceVersion): readonly PrinterColumn[] => columns;

const nameColumn: JsonObject = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'What the object is called. Unique within its namespace.',
  priority: 0,
};

const definitionOf = ({ name, type, jsonPath: path, description, priority = 0 }: PrinterColumn): JsonObject => ({
  name,
  type,
  format: '',
  description: description || `Custom resource definition column (in JSONPath format): ${path}`,
  priority,
});

/**
 * @param objects in the version of the options
 * @param metadata of the list; undefined for a single object
 */
export function tableOf(
  objects: readonly StoredObject[],
  metadata: JsonObject,
  options: TableOptions & { readonly headers: boolean },
): JsonObject {
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${options.metaVersion}`,
    metadata,
    columnDefinitions: options.headers ? definitionsOf(options.version) : null,
    rows: objects.map((object) => rowOf(object, options)),
  };
}

function definitionsOf(version: ResourceVersion): readonly JsonObject[] {
  const definitions = columnsOf(version).map(definitionOf);
  return version.allColumns ? definitions : [nameColumn, ...definitions];
}

function rowOf(object: StoredObject, { version, metaVersion, include, now }: TableOptions): JsonObject {
  const cells = version.cells?.(object, now) ?? columnsOf(version).map((column) => cellOf(object, column, now));
  return {
    cells: version.allColumns ? cells : [object.metadata.name ?? '', ...cells],
    object: include === 'None' ? null : include === 'Object' ? object : metadataOf(object, metaVersion),
  };
}

/** An object's metadata as an object of its own. */
export const metadataOf = (object: StoredObject, version: 'v1' | 'v1beta1'): JsonObject => ({
  kind: 'PartialObjectMetadata',
  apiVersion: `meta.k8s.io/${version}`,
  metadata: object.metadata as JsonObject,
});

/** `null` where the path leads nowhere, or to another type than the column's. */
function cellOf(object: StoredObject, { type, jsonPath: path }: PrinterColumn, now: EpochMs): JsonValue {
  const value = jsonPath(path)?.(object)[0] ?? null;
  if (value === null) return null;
  switch (type) {
    case 'string':
      return typeof value === 'object' && !(value instanceof JsonNumber) ? stringifyJson(value) : String(value);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : value instanceof JsonNumber ? value : null;
    case 'number':
      return typeof value === 'number' || value instanceof JsonNumber ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? ageOf(value, now) : null;
  }
}
