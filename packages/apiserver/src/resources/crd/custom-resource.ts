/** The resource that a CustomResourceDefinition describes. */
import { canonicalJson, type PrinterColumn, sha256Hex } from '@lifeline/core';
import { compileSchema } from '../../schema/compile.ts';
import { type Resource, resourceId, type ResourceVersion, type Verb } from '../resource.ts';
import { customResourceStrategy } from './custom-resource-strategy.ts';
import type { DefinitionSpec, DefinitionVersion } from './definition.ts';
import { compareVersions } from './version-order.ts';

const bySpec = new WeakMap<DefinitionSpec, Resource>();
const byDigest = new Map<string, Resource>();

/**
 * Equal definitions of any number of servers give the same resource, frozen. Cheap: the schema is compiled when it is first needed.
 * @param spec valid, frozen and with a version that is served
 */
export function customResource(spec: DefinitionSpec): Resource {
  let resource = bySpec.get(spec);
  if (!resource) {
    const digest = sha256Hex(canonicalJson(spec), 32);
    resource = byDigest.get(digest) ?? Object.freeze(resourceOf(spec));
    byDigest.set(digest, resource);
    bySpec.set(spec, resource);
  }
  return resource;
}

const terminating = new WeakMap<Resource, Resource>();

/** The same resource while its definition waits to be deleted: objects go, none come. */
export function terminatingResource(resource: Resource): Resource {
  let twin = terminating.get(resource);
  if (!twin) {
    twin = Object.freeze({
      ...resource,
      terminating: true,
      strategy: customResourceStrategy({ scale: resource.scaleSubresource, terminating: true, subject: resource }),
    });
    terminating.set(resource, twin);
  }
  return twin;
}

const verbs: readonly Verb[] = [
  ...(['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'] as const),
];

function resourceOf({ group, names, scope, versions = [] }: DefinitionSpec): Resource {
  const {
    plural,
    kind,
    listKind = `${kind}List`,
    singular = kind.toLowerCase(),
    shortNames = [],
    categories = [],
  } = names;
  const served = versions.filter((version) => version.served).sort((a, b) => compareVersions(a.name, b.name));
  const stored = versions.find(({ storage }) => storage) as DefinitionVersion;
  const scale = stored.subresources?.scale ?? false;
  return {
    id: resourceId(group, plural),
    group,
    kind,
    listKind,
    plural,
    singular,
    shortNames,
    categories,
    namespaced: scope === 'Namespaced',
    verbs,
    versions: served.map((version) => resourceVersion(version, { group, kind, served })),
    storageVersion: stored.name,
    statusSubresource: stored.subresources?.status !== undefined,
    scaleSubresource: scale,
    schema: compileSchema(stored.schema?.openAPIV3Schema ?? {}),
    decoding: 'structural',
    strategy: customResourceStrategy({ scale, terminating: false, subject: { group, plural, kind } }),
    hasGeneration: true,
  };
}

interface Around {
  readonly group: string;
  readonly kind: string;
  readonly served: readonly DefinitionVersion[];
}

function resourceVersion(version: DefinitionVersion, around: Around): ResourceVersion {
  const { name, additionalPrinterColumns: columns, selectableFields = [] } = version;
  return {
    name,
    ...(columns && columns.length > 0 ? { columns: columns as readonly PrinterColumn[] } : {}),
    selectableFields: selectableFields.map(({ jsonPath }) => jsonPath),
    ...(version.deprecated ? { deprecationWarning: version.deprecationWarning ?? deprecation(version, around) } : {}),
  };
}

function deprecation({ name }: DefinitionVersion, { group, kind, served }: Around): string {
  const better = served.find((other) => !other.deprecated && compareVersions(other.name, name) < 0);
  const instead = better ? `; use ${group}/${better.name} ${kind}` : '';
  return `${group}/${name} ${kind} is deprecated${instead}`;
}
