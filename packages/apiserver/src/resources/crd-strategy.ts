/** What a server does with CustomResourceDefinitions beyond their type. */
import { goQuote } from '../go-text.ts';
import type { Schema } from '../schema/compiled-schema.ts';
import { isUnknownFormat } from '../schema/validate/wanted-type.ts';
import { withCondition } from './crd/conditions.ts';
import {
  asDefinition,
  asObject,
  type Definition,
  type DefinitionSpec,
  type DefinitionStatus,
} from './crd/definition.ts';
import { definitionFlaws } from './crd/validate-definition.ts';
import type { Strategy } from './resource.ts';

/** Keeps a deleted definition until its objects are gone. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

export const crdStrategy: Strategy = {
  prepare(next, old, { subresource }) {
    if (subresource === 'status') return next;
    const definition = withDefaults(asDefinition(next));
    return asObject({ ...definition, status: statusOf(definition.spec, old && asDefinition(old).status) });
  },
  validate(next, old, { subresource }) {
    return subresource === 'status' ? [] : definitionFlaws(asDefinition(next), old && asDefinition(old));
  },
  warnings(next, old) {
    const before = old ? unknownFormats(asDefinition(old).spec) : new Set();
    const now = unknownFormats(asDefinition(next).spec);
    return [...now].filter((format) => !before.has(format)).map((format) => `unrecognized format ${goQuote(format)}`);
  },
  startDeletion(object, { now }) {
    const { metadata, ...rest } = asDefinition(object);
    const finalizers = [...new Set([...(metadata.finalizers ?? []), cleanupFinalizer])];
    const message = 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon';
    const terminating = { type: 'Terminating', status: 'True', reason: 'InstanceDeletionPending', message } as const;
    return asObject(withCondition({ ...rest, metadata: { ...metadata, finalizers } }, terminating, now));
  },
};

/**
 * The definition with its names complete and its conversion said.
 * @see kubernetes/apiextensions-apiserver@v0.36.3 pkg/apis/apiextensions/v1/defaults.go
 */
export function withDefaults(definition: Definition): Definition {
  const { names, versions, conversion = { strategy: 'None' } } = definition.spec;
  const singular = names.singular || names.kind.toLowerCase();
  const listKind = names.listKind || (names.kind && `${names.kind}List`);
  return {
    ...definition,
    // What has no versions is decoded as null.
    spec: { ...definition.spec, versions: versions ?? [], names: { ...names, singular, listKind }, conversion },
  };
}

/** Nobody but the server writes it, and the stored version joins it at once. */
function statusOf({ versions = [] }: DefinitionSpec, old: DefinitionStatus | undefined): DefinitionStatus {
  const { conditions = null, acceptedNames = { plural: '', kind: '' }, storedVersions = [] } = old ?? {};
  const stored = versions.find(({ storage }) => storage)?.name;
  return {
    conditions,
    acceptedNames,
    storedVersions:
      stored === undefined || storedVersions.includes(stored) ? storedVersions : [...storedVersions, stored],
  };
}

const unknownFormats = ({ versions = [] }: DefinitionSpec): ReadonlySet<string> =>
  new Set(versions.flatMap(({ schema }) => (schema?.openAPIV3Schema ? formatsIn(schema.openAPIV3Schema) : [])));

function formatsIn(schema: Schema): readonly string[] {
  const { properties = {}, items, additionalProperties: rest, format } = schema;
  const below = [...Object.values(properties), ...(items ? [items] : []), ...(typeof rest === 'object' ? [rest] : [])];
  return [...(format !== undefined && isUnknownFormat(schema) ? [format] : []), ...below.flatMap(formatsIn)];
}
