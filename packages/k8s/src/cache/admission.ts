/** The border of the cache: what a server sent becomes an object that readers may rely on, or is held as malformed. */
import { deepFreeze, type Kind, type KubeObject, objectMetaSchema } from '@lifeline/core';
import type { MetadataObject } from '../client/client.ts';

export type Admitted<T> =
  | { readonly is: 'sound'; readonly object: T }
  /** `object` has the metadata alone, reduced to name and versions where even that is wrong. */
  | { readonly is: 'malformed'; readonly object: MetadataObject; readonly reason: string };

/** Neither ever changes what it is given, nor throws. Assumes objects with name, uid and resourceVersion. */
export interface Admission<T> {
  /** The object as it would be held: without managedFields, with the apiVersion and kind that lists leave out. */
  shaped(sent: T): T;
  judge(shaped: T): Admitted<T>;
}

export interface AdmissionOptions {
  /** Check metadata only. */
  readonly metadataOnly?: boolean | undefined;
  readonly keepManagedFields?: boolean | undefined;
  /** Freeze each object through and through, so that a reader who changes one fails. For tests: it costs more than the parsing. */
  readonly freeze?: boolean | undefined;
}

/** The admission of a kind. The schema judges, it never builds: no field is lost that we do not know. */
export function admission<T extends KubeObject>(kind: Kind<T>, options: AdmissionOptions = {}): Admission<T> {
  const { metadataOnly = false, keepManagedFields = false, freeze = false } = options;
  const keep = <O extends KubeObject>(object: O): O => (freeze ? deepFreeze(object) : object);
  return {
    shaped(sent) {
      // Typed, but not yet checked.
      const isBare = (sent as Partial<T>).kind === undefined;
      const typed = isBare ? { ...sent, apiVersion: kind.apiVersion, kind: kind.kind } : sent;
      return keepManagedFields ? typed : withoutManagedFields(typed);
    },
    judge(object) {
      const reason = metadataOnly ? problem(objectMetaSchema, object.metadata) : problem(kind.schema, object);
      if (reason === undefined) return { is: 'sound', object: keep(object) };
      return { is: 'malformed', object: keep(metadataOf(object)), reason };
    },
  };
}

function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _dropped, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function metadataOf({ apiVersion, kind, metadata }: KubeObject): MetadataObject {
  if (problem(objectMetaSchema, metadata) === undefined) return { apiVersion, kind, metadata };
  const { name, namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { name, uid, resourceVersion, ...(namespace === undefined ? {} : { namespace }) },
  };
}

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string };
type Schema = {
  safeParse(value: unknown): { success: boolean; error?: { readonly issues: readonly Issue[] } | undefined };
};

/** What is wrong, the first three things of it. A schema that throws is a schema that refuses. */
function problem(schema: Schema, value: unknown): string | undefined {
  try {
    const { success, error } = schema.safeParse(value);
    if (success) return undefined;
    return (error?.issues ?? [])
      .slice(0, 3)
      .map(({ path, message }) => `${path.join('.') || '(object)'}: ${message}`)
      .join('; ');
  } catch (error) {
    return `the schema failed: ${String(error)}`;
  }
}
