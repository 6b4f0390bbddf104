import { deepEqual, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@lifeline/core';
import type { StoredObject } from '../resources/resource.ts';
import { managedFieldsOf } from './owners.ts';

/**
 * What is to be stored of `next`: `live` itself when nothing but times of managedFields would change. The last step of every update,
 * patch and apply, after the strategy; `live === settle(next, live)` means that there is nothing to write. The resourceVersion is not
 * looked at.
 * @see kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/fieldmanager/equality.go
 */
export function settle(next: StoredObject, live: StoredObject): StoredObject {
  if (next === live) return live;
  if (!sameButTimes(managedFieldsOf(next), managedFieldsOf(live))) return next;
  return deepEqual(essence(next), essence(live)) ? live : next;
}

const essence = (object: StoredObject): JsonObject => {
  const { managedFields: _, resourceVersion: __, ...metadata } = object.metadata;
  return { ...object, metadata } as JsonObject;
};

function sameButTimes(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  const [left, right] = [entriesOf(a), entriesOf(b)];
  return (
    left.length === right.length &&
    left.every((entry, at) => {
      const other = right[at];
      return entry === other || deepEqual(withoutTime(entry), withoutTime(other ?? null));
    })
  );
}

const entriesOf = (list: JsonValue | undefined): readonly JsonValue[] => (isJsonArray(list) ? list : []);

const withoutTime = (entry: JsonValue): JsonValue => (isJsonObject(entry) ? { ...entry, time: undefined } : entry);
