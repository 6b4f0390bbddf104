/** Answers that claim success, held against what was asked for. */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, type KubeObject, ownValue } from '@lifeline/core';
import { KubeError } from './kube-error.ts';

export interface Expected {
  /** `GET https://host/…`, for messages. */
  readonly what: string;
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * The answer as the object that was asked for. Nothing is checked but its identity: shape is its schema's business.
 * @param name what it must be called, when that is known
 * @throws KubeError `malformed`
 */
export function asObject(value: unknown, { what, apiVersion, kind }: Expected, name?: string): KubeObject {
  if (!isJsonObject(value) || value['apiVersion'] !== apiVersion || value['kind'] !== kind) {
    throw malformed(what, `is ${typeOf(value)}, not ${apiVersion} ${kind}`);
  }
  const found = nameOf(value);
  if (found === undefined) throw malformed(what, `a ${kind} without a name`);
  if (name !== undefined && found !== name) throw malformed(what, `is the ${kind} ${found}, not ${name}`);
  return value as unknown as KubeObject;
}

export interface ListPage<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  /** Where the next page begins; undefined on the last one. */
  readonly continueToken: string | undefined;
}

/**
 * The answer as a page of a list. Items come without apiVersion and kind; they get those of the list.
 * @throws KubeError `malformed`
 */
export function asListPage<T extends KubeObject>(value: unknown, { what, apiVersion, kind }: Expected): ListPage<T> {
  if (!isJsonObject(value) || value['apiVersion'] !== apiVersion || value['kind'] !== `${kind}List`) {
    throw malformed(what, `is ${typeOf(value)}, not ${apiVersion} ${kind}List`);
  }
  const { metadata, items } = value;
  const { resourceVersion, continue: token } = isJsonObject(metadata) ? metadata : {};
  if (typeof resourceVersion !== 'string' || resourceVersion === '') throw malformed(what, 'a list without a revision');
  if (items !== null && !isJsonArray(items)) throw malformed(what, 'a list without items');
  const typed = (items ?? []).map((item) => {
    const whole = isJsonObject(item)
      ? { ...item, apiVersion: item['apiVersion'] ?? apiVersion, kind: item['kind'] ?? kind }
      : item;
    return asObject(whole, { what, apiVersion, kind }) as T;
  });
  return {
    items: typed,
    resourceVersion,
    continueToken: typeof token === 'string' && token !== '' ? token : undefined,
  };
}

export const malformed = (what: string, message: string, options?: ErrorOptions): KubeError =>
  new KubeError('malformed', `${what}: the answer ${message}`, options);

const nameOf = ({ metadata }: JsonObject): string | undefined => {
  const name = isJsonObject(metadata) ? ownValue(metadata, 'name') : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
};

/** Says what came instead, without any of its contents. */
function typeOf(value: unknown): string {
  const { apiVersion, kind } = isJsonObject(value) ? (value as Record<string, JsonValue>) : {};
  return typeof apiVersion === 'string' && typeof kind === 'string' ? `${apiVersion} ${kind}` : 'no Kubernetes object';
}
