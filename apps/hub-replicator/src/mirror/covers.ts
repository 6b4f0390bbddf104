/** Whether a copy is as it should be. */
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  JsonNumber,
  type JsonValue,
  type KubeObject,
  type OwnerReference,
  ownValue,
  sameValue,
} from '@lifeline/core';
import { bodyFields } from './desired.ts';
import type { OwnedKeys } from './owned.ts';

/** All that we write on a copy. */
export interface WantedCopy {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  readonly owner: OwnerReference;
}

export interface Fit {
  /** A label, an annotation or the owner is missing or another, or a label or annotation of ours should not be there. */
  readonly metadata: 'fits' | 'differs';
  /** `surplus`: all is there, and below our fields there is more: a default of the hub's, or somebody's doing. */
  readonly body: 'fits' | 'surplus' | 'differs';
}

/** What is not ours does not count. */
export function fitOf(wanted: WantedCopy, copy: KubeObject, owned: OwnedKeys): Fit {
  const { metadata } = copy;
  const body = bodyOfCopy(copy);
  const isMetadataRight =
    hasExactly(metadata.labels, wanted.labels, owned.labels) &&
    hasExactly(metadata.annotations, wanted.annotations, owned.annotations) &&
    isOwned(copy, wanted.owner);
  return {
    metadata: isMetadataRight ? 'fits' : 'differs',
    body: !covers(wanted.body, body) ? 'differs' : covers(body, wanted.body) ? 'fits' : 'surplus',
  };
}

/** What stands in our fields. */
export function bodyOfCopy(copy: KubeObject): JsonObject {
  const all = copy as unknown as JsonObject;
  return Object.fromEntries(bodyFields.map((field) => [field, ownValue(all, field) ?? undefined]));
}

/** Whether all of `part` is in `whole`. Lists are compared item by item; numbers by value; null is absent. */
export function covers(part: JsonValue | undefined, whole: JsonValue | undefined): boolean {
  if (part === undefined || part === null) return true;
  if (isNumber(part)) return isNumber(whole) && sameValue(part, whole);
  if (isJsonArray(part)) {
    return (
      isJsonArray(whole) && part.length === whole.length && part.every((item, index) => covers(item, whole[index]))
    );
  }
  if (isJsonObject(part)) {
    if (!isJsonObject(whole)) return false;
    return Object.keys(part).every((key) => covers(part[key], ownValue(whole, key)));
  }
  return part === whole;
}

const isNumber = (value: JsonValue | undefined): value is number | JsonNumber =>
  typeof value === 'number' || value instanceof JsonNumber;

type Texts = Readonly<Record<string, string>> | null | undefined;

/** Of the keys that are ours, those that are wanted and no others. */
const hasExactly = (present: Texts, wanted: Readonly<Record<string, string>>, owned: ReadonlySet<string>): boolean =>
  Object.entries(wanted).every(([key, value]) => ownValue(present ?? {}, key) === value) &&
  Object.keys(present ?? {}).every((key) => !owned.has(key) || Object.hasOwn(wanted, key));

const isOwned = ({ metadata }: KubeObject, { uid, name }: OwnerReference): boolean =>
  metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.name === name) === true;
