/** What every Kubernetes object has. Fields we do not name are kept: types are open, values are never rebuilt from them. */
import { z } from 'zod';
import { JsonNumber } from '../json/value.ts';

/** An int64: a plain integer, or its digits where a double would lose some. */
export const int64 = z.union([z.number().int(), z.instanceof(JsonNumber)]);

/** `metav1.OwnerReference`. */
export const ownerReferenceSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  name: z.string(),
  uid: z.string(),
  controller: z.boolean().optional(),
  blockOwnerDeletion: z.boolean().optional(),
});
export type OwnerReference = z.infer<typeof ownerReferenceSchema>;

/** `metav1.ObjectMeta`. */
export const objectMetaSchema = z.looseObject({
  name: z.string(),
  generateName: z.string().optional(),
  namespace: z.string().optional(),
  uid: z.string().optional(),
  resourceVersion: z.string().optional(),
  generation: int64.optional(),
  creationTimestamp: z.string().nullish(),
  deletionTimestamp: z.string().nullish(),
  deletionGracePeriodSeconds: int64.nullish(),
  labels: z.record(z.string(), z.string()).nullish(),
  annotations: z.record(z.string(), z.string()).nullish(),
  finalizers: z.array(z.string()).nullish(),
  ownerReferences: z.array(ownerReferenceSchema).nullish(),
  managedFields: z.array(z.looseObject({})).nullish(),
});
export type ObjectMeta = z.infer<typeof objectMetaSchema>;

/** Any Kubernetes object. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/** `namespace/name`, or `name` for what is cluster-scoped. Unique within one kind of one plane. */
export type ObjectKey = string;

/** Where an object is, within one kind of one plane. */
export interface ObjectName {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** The key of an object. */
export const keyOf = (object: { metadata: { namespace?: string | undefined; name: string } }): ObjectKey =>
  objectKey(object.metadata);

/** The key of a name. */
export const objectKey = ({ namespace, name }: ObjectName): ObjectKey => (namespace ? `${namespace}/${name}` : name);

/** The name that a key was made from. */
export function parseKey(key: ObjectKey): ObjectName {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** A delete has been accepted; finalizers may still hold the object. */
export const isDeleting = (object: { metadata: { deletionTimestamp?: string | null | undefined } }): boolean =>
  typeof object.metadata.deletionTimestamp === 'string';
