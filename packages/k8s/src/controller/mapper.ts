/** From an object to the requests that it concerns. */
import { type Kind, type KubeObject, keyOf, type ObjectName, objectKey } from '@lifeline/core';
import type { ReconcileRequest } from './request.ts';

/**
 * Requests that an object concerns; run on the old and the new object of an update. Pure and quick: it runs on every event, and on
 * every cached object at the pace of the floor.
 *
 * An object that its schema refuses is mapped by its metadata alone; what a mapper throws then is ignored.
 */
export type Mapper<T> = (object: T, cluster: string) => readonly ReconcileRequest[];

/** The object itself. */
export const self: Mapper<KubeObject> = (object, cluster) => [{ cluster, key: keyOf(object) }];

/** The objects of one kind that own the object, by its owner references (whatever version of the kind they name). */
export const owner =
  (kind: Kind): Mapper<KubeObject> =>
  ({ metadata }, cluster) =>
    (metadata.ownerReferences ?? [])
      .filter((reference) => reference.kind === kind.kind && groupOf(reference.apiVersion) === kind.group)
      .map(({ name }) => ({
        cluster,
        key: objectKey(kind.scope === 'Namespaced' ? { namespace: metadata.namespace, name } : { name }),
      }));

const groupOf = (apiVersion: string): string =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';

/** Labels that hold a request. Without `cluster`: the object's own cluster; without `namespace`: what is cluster-scoped. */
export interface RequestLabels {
  readonly cluster?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** The object that the labels name; none when one of them is missing or empty. */
export const byLabel =
  (labels: RequestLabels): Mapper<KubeObject> =>
  ({ metadata }, own) => {
    const valueOf = (label: string | undefined): string | undefined => (label ? metadata.labels?.[label] : undefined);
    const cluster = labels.cluster ? valueOf(labels.cluster) : own;
    const namespace = valueOf(labels.namespace);
    const name = valueOf(labels.name);
    if (!cluster || !name || (labels.namespace && !namespace)) return [];
    return [{ cluster, key: objectKey({ namespace, name }) }];
  };

/** Objects of the same cluster, by name. */
export const toRequests =
  <T extends KubeObject>(names: (object: T) => Iterable<ObjectName>): Mapper<T> =>
  (object, cluster) =>
    Array.from(names(object), (name) => ({ cluster, key: objectKey(name) }));
