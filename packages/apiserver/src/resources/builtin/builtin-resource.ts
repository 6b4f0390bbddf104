/** Built-in resources: what is the same for all of them, and words to describe one. */
import type { EpochMs, JsonValue, PrinterColumn, ScaleSubresource } from '@lifeline/core';
import { ageOf } from '../../http/table/human-duration.ts';
import { compileSchema } from '../../schema/compile.ts';
import type { CompiledSchema } from '../../schema/compiled-schema.ts';
import {
  type Resource,
  resourceId,
  type ResourceVersion,
  type StoredObject,
  type Strategy,
  type Verb,
} from '../resource.ts';
import { schemaOf } from './types/schema-of.ts';
import type { TypeTable } from './types/type-table.ts';

type Cells = (object: StoredObject, now: EpochMs) => readonly JsonValue[];

export interface BuiltinSpec {
  /** `''` for the core group. Default. */
  readonly group?: string;
  readonly kind: string;
  readonly plural: string;
  readonly types: TypeTable;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Default: all. */
  readonly verbs?: readonly Verb[];
  readonly columns?: readonly PrinterColumn[];
  readonly allColumns?: boolean;
  readonly cells?: Cells;
  readonly selectableFields?: readonly string[];
  readonly fieldText?: ResourceVersion['fieldText'];
  /** Default false. */
  readonly statusSubresource?: boolean;
  readonly scaleSubresource?: ScaleSubresource;
  /** Default false. */
  readonly hasGeneration?: boolean;
  readonly strategy?: Strategy;
  readonly stored?: Pick<Resource, 'storedAs' | 'fromStored' | 'toStored'>;
}

const allVerbs: readonly Verb[] = [
  ...(['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const),
];

/** A resource of version v1. Frozen; its types are read and its schema is compiled when somebody asks. */
export function builtinResource(spec: BuiltinSpec): Resource {
  const { group = '', kind, plural, types, namespaced } = spec;
  let schema: CompiledSchema | undefined;
  return Object.freeze<Resource>({
    id: resourceId(group, plural),
    group,
    kind,
    listKind: `${kind}List`,
    plural,
    singular: kind.toLowerCase(),
    shortNames: spec.shortNames ?? [],
    categories: spec.categories ?? [],
    namespaced,
    verbs: spec.verbs ?? allVerbs,
    versions: [
      {
        name: 'v1',
        columns: spec.columns ?? [ageColumn],
        allColumns: spec.allColumns,
        cells: spec.cells ?? ((object, now) => [ageCell(object, now)]),
        selectableFields: spec.selectableFields ?? [],
        fieldText: spec.fieldText,
      },
    ],
    storageVersion: 'v1',
    statusSubresource: spec.statusSubresource ?? false,
    scaleSubresource: spec.scaleSubresource ?? false,
    get schema(): CompiledSchema {
      return (schema ??= compileSchema(schemaOf(types.get(kind))));
    },
    decoding: 'typed',
    get messageType() {
      return types.get(kind);
    },
    strategy: spec.strategy ?? {},
    hasGeneration: spec.hasGeneration ?? false,
    ...spec.stored,
  });
}

/** A column whose cells are made by hand. @param priority above 0: shown by `-o wide` only */
export const column = (name: string, description: string, priority = 0): PrinterColumn => ({
  name,
  type: 'string',
  jsonPath: '',
  description,
  priority,
});

export const ageColumn: PrinterColumn = column('Age', 'How long ago the object was created.');

export const ageCell = (object: StoredObject, now: EpochMs): string => ageOf(object.metadata.creationTimestamp, now);

/** When the object was created, for kinds whose age nobody shows. */
export const createdAtColumn: PrinterColumn = {
  ...column('Created At', 'When the object was created.'),
  type: 'date',
};
