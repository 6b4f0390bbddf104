/** Descriptors of the kinds Lifeline speaks. A kind's TypeScript type and its descriptor share one name. */
import type { z } from 'zod';
import type { KubeObject } from '../meta/object.ts';

/** A column of `kubectl get`, as in a CRD's `additionalPrinterColumns`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly jsonPath: string;
  /** Above 0: shown by `-o wide` only. Default 0. */
  readonly priority?: number;
  readonly description?: string;
}

/** Where the `scale` subresource finds its numbers: JSON paths such as `.spec.replicas`. */
export interface ScaleSubresource {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
}

/** What has to be said of a kind; the rest has defaults. */
export interface KindSpec<T extends KubeObject> {
  /** `''` for the core group. */
  readonly group: string;
  /** The version we speak. */
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Every version that a server may offer and that has the same schema, newest first. Default: only `version`. */
  readonly versions?: readonly string[];
  /** Writes to `.status` go through the `status` subresource, and only through it. */
  readonly statusSubresource: boolean;
  /** Default `false`: there is none. */
  readonly scaleSubresource?: ScaleSubresource | false;
  /**
   * Paths of lists that are maps, and their keys: `{ 'status.conditions': ['type'] }`; `[]` steps into a list's items:
   * `status.listeners[].conditions`. Server-side apply and diffs merge by these keys, and every other list is replaced whole.
   * `metadata.ownerReferences` merges by `uid` in every kind and is not listed.
   */
  readonly listMapKeys?: Readonly<Record<string, readonly string[]>>;
  readonly printerColumns?: readonly PrinterColumn[];
  /** JSON paths usable in field selectors beside metadata.name and metadata.namespace: `.spec.connectorRef.name`. */
  readonly selectableFields?: readonly string[];
  /** Annotations of the kind's CustomResourceDefinition. */
  readonly crdAnnotations?: Readonly<Record<string, string>>;
  /** Loose: unknown fields pass and are kept. Validates, never transforms. */
  readonly schema: z.ZodType<T>;
}

/** A kind, complete and frozen. */
export interface Kind<T extends KubeObject = KubeObject> extends Required<KindSpec<T>> {
  /** `v1`, `networking.datumapis.com/v1alpha1`. */
  readonly apiVersion: string;
  /** `Connector.networking.datumapis.com`, `ConfigMap`: group and kind, without the version. Unique among kinds. */
  readonly id: string;
}

/** The object type of a kind: `KindObject<typeof Connector>`. */
export type KindObject<K> = K extends Kind<infer T> ? T : never;

/** The `id` of a group and kind. */
export const kindId = (group: string, kind: string): string => (group ? `${kind}.${group}` : kind);

/** The descriptor of a kind, with every default filled in. */
export function defineKind<T extends KubeObject>(spec: KindSpec<T>): Kind<T> {
  return Object.freeze({
    shortNames: [],
    categories: [],
    versions: [spec.version],
    scaleSubresource: false,
    listMapKeys: {},
    printerColumns: [],
    selectableFields: [],
    crdAnnotations: {},
    ...spec,
    apiVersion: spec.group ? `${spec.group}/${spec.version}` : spec.version,
    id: kindId(spec.group, spec.kind),
  });
}
