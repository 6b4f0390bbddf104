/** Objects of any kind, whole. */
import {
  compareTexts,
  deepEqual,
  defineKind,
  hasFinalizer,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Kind,
  type KubeObject,
  type ObjectMeta,
  ownValue,
} from '@lifeline/core';
import { z } from 'zod';

/** Any object: what we do not know of it is kept. Never changed in place. */
export interface Manifest extends KubeObject {
  readonly spec?: JsonValue;
  readonly status?: JsonValue;
  readonly [field: string]: unknown;
}

export type StringMap = Readonly<Record<string, string>>;

/** How a kind is served, which is all that carrying its objects needs. */
export interface ServedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** A kind whose objects are taken as they are. */
export const anyKind = ({ group, version, kind, plural, namespaced }: ServedKind): Kind<Manifest> =>
  defineKind({
    group,
    version,
    kind,
    plural,
    scope: namespaced ? 'Namespaced' : 'Cluster',
    statusSubresource: true,
    schema: z.custom<Manifest>(),
  });

/** The kind, its objects taken as they are: for objects that only we write. */
export const unchecked = <T extends KubeObject>(kind: Kind<T>): Kind<T> => ({ ...kind, schema: z.custom<T>() });

/** `networking.datumapis.com/v1alpha1 Connector`: one version of one kind. */
export type KindName = string;

export const kindName = ({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): KindName =>
  `${apiVersion} ${kind}`;

export const labelOf = ({ metadata }: KubeObject, key: string): string | undefined =>
  ownValue(metadata.labels ?? {}, key);

export const annotationOf = ({ metadata }: KubeObject, key: string): string | undefined =>
  ownValue(metadata.annotations ?? {}, key);

/** The object with these fields of its metadata; those that are undefined are gone. */
export function withMetadata<T extends KubeObject>(object: T, fields: { [K in keyof ObjectMeta]?: unknown }): T {
  const metadata: Record<string, unknown> = { ...object.metadata, ...fields };
  for (const key of Object.keys(fields)) if (metadata[key] === undefined) delete metadata[key];
  return { ...object, metadata };
}

/** The object with these labels and annotations added, or replaced. */
export const withKeys = <T extends KubeObject>(
  object: T,
  { labels = {}, annotations = {} }: { readonly labels?: StringMap; readonly annotations?: StringMap },
): T =>
  withMetadata(object, {
    labels: nonEmpty({ ...object.metadata.labels, ...labels }),
    annotations: nonEmpty({ ...object.metadata.annotations, ...annotations }),
  });

/** The object without these labels and annotations. The object itself when it has none of them. */
export function withoutKeys<T extends KubeObject>(
  object: T,
  { labels = [], annotations = [] }: { readonly labels?: readonly string[]; readonly annotations?: readonly string[] },
): T {
  const left = {
    labels: without(object.metadata.labels, labels),
    annotations: without(object.metadata.annotations, annotations),
  };
  if (
    deepEqual(left.labels, nonEmpty(object.metadata.labels)) &&
    deepEqual(left.annotations, nonEmpty(object.metadata.annotations))
  )
    return object;
  return withMetadata(object, left);
}

const without = (map: StringMap | null | undefined, keys: readonly string[]): StringMap | undefined =>
  nonEmpty(Object.fromEntries(Object.entries(map ?? {}).filter(([key]) => !keys.includes(key))));

/** The map; undefined when there is nothing in it. */
export const nonEmpty = (map: StringMap | null | undefined): StringMap | undefined =>
  map && Object.keys(map).length > 0 ? map : undefined;

/** The metadata with the keys and finalizers of a draft added, or replaced. */
export const joinedMetadata = (metadata: ObjectMeta, wanted: Partial<ObjectMeta>): ObjectMeta => ({
  ...metadata,
  labels: { ...metadata.labels, ...wanted.labels },
  annotations: { ...metadata.annotations, ...wanted.annotations },
  finalizers: [...new Set([...(metadata.finalizers ?? []), ...(wanted.finalizers ?? [])])],
});

/** The object with the finalizer. The object itself when it has it. */
export const withFinalizer = <T extends KubeObject>(object: T, finalizer: string): T =>
  hasFinalizer(object, finalizer)
    ? object
    : withMetadata(object, { finalizers: [...(object.metadata.finalizers ?? []), finalizer] });

/** The object without the finalizer. The object itself when it has none of that name. */
export function withoutFinalizer<T extends KubeObject>(object: T, finalizer: string): T {
  const finalizers = object.metadata.finalizers ?? [];
  const left = finalizers.filter((entry) => entry !== finalizer);
  return left.length === finalizers.length ? object : withMetadata(object, { finalizers: left });
}

/** The value at a path of members; undefined where there is none. */
export function at(value: unknown, ...path: readonly string[]): JsonValue | undefined {
  let found = value as JsonValue | undefined;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return undefined;
    found = ownValue(found as JsonObject, key);
  }
  return found;
}

/** The text at a path; empty where there is none. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** The items at a path; none where there is no list. */
export function itemsAt(value: unknown, ...path: readonly string[]): readonly JsonValue[] {
  const found = at(value, ...path);
  return isJsonArray(found) ? found : [];
}

export const specOf = ({ spec }: Manifest): JsonObject => (isJsonObject(spec) ? spec : {});

/** The fields that are there. */
export const present = (fields: Readonly<Record<string, unknown>>): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;

/** For sorting. */
export const byName = ({ metadata: { name: a } }: KubeObject, { metadata: { name: b } }: KubeObject): number =>
  compareTexts(a, b);
