/** A CustomResourceDefinition, as it is stored: decoded by type, so the shapes hold. */
import type { JsonObject, PrinterColumn } from '@lifeline/core';
import type { Schema } from '../../schema/compiled-schema.ts';
import type { ScalePaths, StoredObject } from '../resource.ts';

export interface Definition {
  readonly metadata: StoredObject['metadata'];
  readonly spec: DefinitionSpec;
  readonly status?: DefinitionStatus | undefined;
}

export interface DefinitionSpec {
  readonly group: string;
  readonly names: Names;
  readonly scope: string;
  /** A list, but for what has not been prepared. */
  readonly versions?: readonly DefinitionVersion[] | undefined;
  readonly conversion?: Conversion | undefined;
  readonly preserveUnknownFields?: boolean | undefined;
}

export interface Names {
  readonly plural: string;
  readonly singular?: string | undefined;
  readonly shortNames?: readonly string[] | undefined;
  readonly kind: string;
  readonly listKind?: string | undefined;
  readonly categories?: readonly string[] | undefined;
}

export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean | undefined;
  readonly deprecationWarning?: string | undefined;
  readonly schema?: { readonly openAPIV3Schema?: Schema | undefined } | undefined;
  readonly subresources?: Subresources | undefined;
  readonly additionalPrinterColumns?: readonly Column[] | undefined;
  readonly selectableFields?: readonly { readonly jsonPath: string }[] | undefined;
}

export type Column = Omit<PrinterColumn, 'type'> & { readonly type: string; readonly format?: string | undefined };

export interface Subresources {
  readonly status?: JsonObject | undefined;
  readonly scale?: ScalePaths | undefined;
}

export interface Conversion {
  readonly strategy: string;
  readonly webhook?: JsonObject | undefined;
}

export interface DefinitionStatus {
  readonly conditions?: readonly DefinitionCondition[] | null | undefined;
  readonly acceptedNames?: Names | undefined;
  readonly storedVersions?: readonly string[] | undefined;
}

export interface DefinitionCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** RFC 3339, whole seconds. */
  readonly lastTransitionTime?: string | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}

/** @param object of the resource `customresourcedefinitions` */
export const asDefinition = (object: StoredObject): Definition => object as unknown as Definition;

export const asObject = (definition: Definition): StoredObject => definition as unknown as StoredObject;

export const isTrue = ({ status }: Definition, type: string): boolean =>
  status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
