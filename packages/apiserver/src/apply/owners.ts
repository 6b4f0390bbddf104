/** `metadata.managedFields` as what it means: who owns which fields. */
import { compareTexts, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@lifeline/core';
import { type StoredObject, withMetadata, withoutMetadata } from '../resources/resource.ts';
import type { FieldSet } from './fields/field-set.ts';
import { parseFields, writeFields } from './fields/fields-v1.ts';

export type Operation = 'Apply' | 'Update';

export interface Owner {
  readonly manager: string;
  readonly operation: Operation;
  readonly apiVersion: string;
  readonly subresource: string;
  /** As it is written. Undefined for who became an owner without changing anything. */
  readonly time: string | undefined;
  /** Not empty. */
  readonly fields: FieldSet;
}

/** Owners by {@link ownerKey}. */
export type Owners = ReadonlyMap<string, Owner>;

export const noOwners: Owners = new Map();

/**
 * What tells owners apart: the versions that an applier used do not, those of an updater do. Owners are named to clients in the order of
 * these keys.
 */
export const ownerKey = ({
  manager,
  operation,
  apiVersion,
  subresource,
}: Pick<Owner, 'manager' | 'operation' | 'apiVersion' | 'subresource'>): string =>
  JSON.stringify({
    manager: manager || undefined,
    operation,
    apiVersion: operation === 'Update' ? apiVersion : undefined,
    subresource: subresource || undefined,
  });

/** What was read from lists that are stored: most writes leave most owners alone. */
const read = new WeakMap<object, Owners>();
/** The entries that owners were read from, or written as. */
const entries = new WeakMap<Owner, JsonObject>();

/** Undefined: it is no list of managers that a real server would take. */
export function readOwners(list: JsonValue | undefined): Owners | undefined {
  if (list === undefined || list === null) return noOwners;
  if (!isJsonArray(list)) return undefined;
  const known = read.get(list);
  if (known) return known;
  const owners = new Map<string, Owner>();
  for (const entry of list) {
    const owner = readOwner(entry);
    if (!owner) return undefined;
    owners.set(ownerKey(owner), owner);
  }
  if (Object.isFrozen(list)) read.set(list, owners);
  return owners;
}

function readOwner(entry: JsonValue): Owner | undefined {
  if (!isJsonObject(entry)) return undefined;
  const { operation, fieldsType, time } = entry;
  const apiVersion = textOf(entry['apiVersion']);
  if ((operation !== 'Apply' && operation !== 'Update') || apiVersion === '' || fieldsType !== 'FieldsV1')
    return undefined;
  const fields = fieldsOf(entry['fieldsV1']);
  if (!fields) return undefined;
  const [manager, subresource] = [textOf(entry['manager']), textOf(entry['subresource'])];
  const owner = {
    manager,
    operation,
    apiVersion,
    subresource,
    time: typeof time === 'string' ? time : undefined,
    fields,
  } as const;
  if (Object.isFrozen(entry) && entry['fieldsV1'] === fields) entries.set(owner, entry);
  return owner;
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

function fieldsOf(value: JsonValue | undefined): FieldSet | undefined {
  try {
    return parseFields(value);
  } catch {
    return undefined;
  }
}

/** As the object has it, whoever wrote it. */
export const managedFieldsOf = ({ metadata }: StoredObject): JsonValue | undefined =>
  metadata.managedFields as JsonValue | undefined;

/** The object with these owners; itself when it has them already. */
export function withOwners(object: StoredObject, owners: Owners): StoredObject {
  if (owners.size === 0) return withoutMetadata(object, 'managedFields');
  const now = managedFieldsOf(object);
  const list = [...owners.values()].sort(compareOwners).map(entryOf);
  if (isJsonArray(now) && now.length === list.length && now.every((entry, at) => entry === list[at])) return object;
  return withMetadata(object, { managedFields: list });
}

function entryOf(owner: Owner): JsonObject {
  let entry = entries.get(owner);
  if (!entry) {
    const { manager, operation, apiVersion, subresource, time, fields } = owner;
    entry = Object.freeze({
      ...(manager === '' ? {} : { manager }),
      operation,
      apiVersion,
      ...(time === undefined ? {} : { time }),
      fieldsType: 'FieldsV1',
      fieldsV1: writeFields(fields),
      ...(subresource === '' ? {} : { subresource }),
    });
    entries.set(owner, entry);
  }
  return entry;
}

/** Appliers first, then by time; who has none comes before. Times are RFC 3339 in whole seconds of UTC: their texts are in order. */
const compareOwners = (a: Owner, b: Owner): number =>
  compareTexts(a.operation, b.operation) ||
  compareTexts(a.time ?? '', b.time ?? '') ||
  compareTexts(a.manager, b.manager) ||
  compareTexts(a.apiVersion, b.apiVersion) ||
  compareTexts(a.subresource, b.subresource);

/** The owner of other fields. */
export const owning = (owner: Owner, fields: FieldSet): Owner =>
  owner.fields === fields ? owner : { ...owner, fields };
