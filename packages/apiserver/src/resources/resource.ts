/** What a server knows of one resource, whether it is built in or came as a CustomResourceDefinition. */
import type {
  EpochMs,
  JsonObject,
  JsonValue,
  KubeObject,
  ObjectMeta,
  PrinterColumn,
  Random,
  ScaleSubresource,
} from '@lifeline/core';
import type { Cause } from '../api-error.ts';
import type { CompiledSchema } from '../schema/compiled-schema.ts';
import type { MessageType } from '../schema/message-type.ts';
import type { Server } from '../server-parts.ts';
import type { User } from '../auth/user.ts';

/** An object as it is stored: plain JSON, deeply frozen, in the storage version. */
export type StoredObject = KubeObject & JsonObject;

/** The object with these fields of its metadata replaced. */
export const withMetadata = (object: StoredObject, fields: Partial<ObjectMeta>): StoredObject =>
  ({ ...object, metadata: { ...object.metadata, ...fields } }) as StoredObject;

/** The object without a field of its metadata: absent, not undefined, as what is stored and compared has it. */
export function withoutMetadata(object: StoredObject, field: keyof ObjectMeta): StoredObject {
  if (!(field in object.metadata)) return object;
  const { [field]: _, ...metadata } = object.metadata;
  return { ...object, metadata } as StoredObject;
}

/** The object with these fields of its root replaced. */
export const withFields = (object: StoredObject, fields: JsonObject): StoredObject => ({ ...object, ...fields });

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** `connectors.networking.datumapis.com`, `configmaps`: plural and group. Unique within a server. */
export type ResourceId = string;

export const resourceId = (group: string, plural: string): ResourceId => (group ? `${plural}.${group}` : plural);

/** One version under which a resource is served. All versions of a resource have one schema and differ in `apiVersion` only. */
export interface ResourceVersion {
  /** `v1alpha1`. */
  readonly name: string;
  /** Columns of the table output after `Name`. Undefined: `Age` alone, as a CRD without columns has it. */
  readonly columns?: readonly PrinterColumn[] | undefined;
  /** {@link columns} are all there are, the name among them: Events begin with another. Default: they follow the name. */
  readonly allColumns?: boolean | undefined;
  /**
   * The cells under {@link columns} where JSON paths cannot say them: built-in kinds. Then the paths of the columns are empty. Takes
   * the object in this version.
   */
  readonly cells?: ((object: StoredObject, now: EpochMs) => readonly JsonValue[]) | undefined;
  /** JSON paths usable in field selectors beside metadata.name and metadata.namespace: `.spec.nodeName`. */
  readonly selectableFields: readonly string[];
  /** What a field selector compares where it is not what is at the path. Undefined: it is. Takes the object in this version. */
  readonly fieldText?: ((object: StoredObject, path: string) => string | undefined) | undefined;
  readonly deprecationWarning?: string | undefined;
}

/** Where the `scale` subresource finds its numbers, and the selector of what is counted. */
export interface ScalePaths extends ScaleSubresource {
  readonly labelSelectorPath?: string | undefined;
}

export interface Resource {
  readonly id: ResourceId;
  /** `''` for the core group. */
  readonly group: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly Verb[];
  /** Served ones only, preferred first. */
  readonly versions: readonly ResourceVersion[];
  readonly storageVersion: string;
  readonly statusSubresource: boolean;
  readonly scaleSubresource: ScalePaths | false;
  /** A CRD that waits to be deleted: its objects go, none come. Default false. */
  readonly terminating?: boolean | undefined;
  readonly schema: CompiledSchema;
  /**
   * `typed`: built in. Bodies are decoded by type (a wrong JSON type is a 400), unknown fields never stored, strategic merge patches
   * taken. What is wrong beyond the type, the strategy says; the schema serves defaults, patches and documentation.
   * `structural`: a CRD. Pruned by schema, validated by schema (422), no strategic merge patches.
   */
  readonly decoding: 'typed' | 'structural';
  /** What `decodeTyped` decodes bodies by. Undefined unless `decoding` is `typed`. */
  readonly messageType?: MessageType | undefined;
  readonly strategy: Strategy;
  /** What a change counts as for `metadata.generation`: never (ConfigMap), or whenever anything but metadata and status differs. */
  readonly hasGeneration: boolean;
  /** Events live under core/v1 and events.k8s.io/v1: objects are stored under this resource. Default: its own id. */
  readonly storedAs?: ResourceId | undefined;
  /** From and to the stored form, for a resource whose {@link storedAs} is another. */
  readonly fromStored?: ((object: StoredObject) => StoredObject) | undefined;
  readonly toStored?: ((object: StoredObject) => StoredObject) | undefined;
}

/** What a strategy is told of the write it looks at. */
export interface StrategyContext {
  /** To be read only. */
  readonly server: Server;
  readonly user: User;
  /** RFC 3339, whole seconds. */
  readonly now: string;
  readonly random: Random;
  readonly subresource: string | undefined;
}

/**
 * What a resource does beyond its schema. Every function writes nothing and returns its input when it has nothing to say.
 * The strategy of CRDs is what `scale` and a definition that goes demand.
 */
export interface Strategy {
  /** What no schema can say of what is missing. After the schema's defaults; what it fills in belongs to the writer. */
  readonly applyDefaults?: ((object: StoredObject) => StoredObject) | undefined;
  /**
   * After defaulting, before validation. `old` is undefined on create. The generation rises by itself when spec changes; what else
   * counts raises it here.
   */
  readonly prepare?: (next: StoredObject, old: StoredObject | undefined, context: StrategyContext) => StoredObject;
  /** Beyond the schema and what every object's metadata must meet. */
  readonly validate?: (next: StoredObject, old: StoredObject | undefined, context: StrategyContext) => readonly Cause[];
  readonly warnings?: (next: StoredObject, old: StoredObject | undefined) => readonly string[];
  /** What is wrong with the name of an object; nothing: it is one. Default: DNS subdomain. */
  readonly nameProblems?: ((name: string) => readonly string[]) | undefined;
  /** An update of what is not there creates it. Default false. */
  readonly createOnUpdate?: boolean | undefined;
  /** An update may leave out the resourceVersion. Default: built-in kinds, but no CRDs. */
  readonly unconditionalUpdate?: boolean | undefined;
  /**
   * What the first delete makes of an object that goes in more than one step: Namespace, CustomResourceDefinition. The mark itself,
   * `deletionTimestamp`, is on it already. Default: it is removed, or waits for its finalizers.
   */
  readonly startDeletion?: ((object: StoredObject, context: StrategyContext) => StoredObject) | undefined;
  /** Whether something beside `metadata.finalizers` holds a deleted object up. Default: nothing. */
  readonly isHeld?: ((object: StoredObject) => boolean) | undefined;
  /** A delete answers with the object that is gone instead of a Status. Default false. */
  readonly returnsDeleted?: boolean | undefined;
  /** Answers a create without storing anything: reviews. */
  readonly review?: ((object: StoredObject, context: StrategyContext) => StoredObject) | undefined;
}

/** The id that the objects of a resource are stored under. */
export const storedUnder = ({ id, storedAs = id }: Pick<Resource, 'id' | 'storedAs'>): ResourceId => storedAs;

/** @throws TypeError for a resource that is not decoded by type */
export function messageTypeOf({ id, messageType }: Pick<Resource, 'id' | 'messageType'>): MessageType {
  if (!messageType) throw new TypeError(`${id} has no type`);
  return messageType;
}

/** The `apiVersion` of a version of a resource. */
export const apiVersionOf = (resource: Pick<Resource, 'group'>, version: string): string =>
  resource.group ? `${resource.group}/${version}` : version;

/** What an `apiVersion` says; the group of the core one is `''`. */
export function splitApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const slash = apiVersion.indexOf('/');
  return { group: apiVersion.slice(0, Math.max(0, slash)), version: apiVersion.slice(slash + 1) };
}
