/** Whether a CustomResourceDefinition can be served, in the words of a real server. */
import { deepEqual, type JsonValue } from '@lifeline/core';
import type { Cause } from '../../api-error.ts';
import { label1035Problems, subdomainProblems } from '../../dns-syntax.ts';
import { child, type FieldPath, forbidden, invalidValue, notSupported, required } from '../../field-error.ts';
import type { Schema } from '../../schema/compiled-schema.ts';
import { approvalFlaws } from './approval.ts';
import { defaultFlaws } from './default-flaws.ts';
import { type Definition, type DefinitionSpec, type DefinitionVersion, isTrue, type Names } from './definition.ts';
import { schemaFlaws } from './schema-flaws.ts';
import { structuralFlaws } from './structural-flaws.ts';
import { columnFlaws, deprecationFlaws, selectableFlaws, subresourceFlaws } from './version-flaws.ts';

/**
 * None: it can. CEL rules are not compiled. Beyond what a real server refuses, so are conversion by webhook and versions that differ in
 * schema or subresources: objects here have one form.
 * @param old what is updated; undefined on create
 * @see kubernetes/apiextensions-apiserver@v0.36.3 pkg/apis/apiextensions/validation/validation.go
 */
export const definitionFlaws = (definition: Definition, old: Definition | undefined): readonly Cause[] => [
  ...(old ? [] : nameFlaws(definition)),
  ...specFlaws(definition.spec),
  ...(old ? immutableFlaws(definition.spec, old) : []),
  ...storedVersionFlaws(definition),
  ...approvalFlaws(definition, old),
  ...preserveFlaws(definition.spec, old),
];

function nameFlaws({ metadata: { name }, spec }: Definition): readonly Cause[] {
  return name === `${spec.names.plural}.${spec.group}`
    ? []
    : [invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group')];
}

const scopes = ['Cluster', 'Namespaced'];
const strategies = ['None', 'Webhook'];

function specFlaws(spec: DefinitionSpec): readonly Cause[] {
  const { group, scope, versions = [], names } = spec;
  const shared = sharedParts(versions);
  const [first] = versions;
  return [
    ...groupFlaws(group),
    ...(scope ? (scopes.includes(scope) ? [] : [notSupported('spec.scope', scope, scopes)]) : [required('spec.scope')]),
    ...versions.flatMap((version, index) =>
      version.schema?.openAPIV3Schema ? [] : [required(`spec.versions[${index}].schema.openAPIV3Schema`)],
    ),
    ...versions.flatMap((version, index) => versionFlaws(version, `spec.versions[${index}]`, shared)),
    ...versionSetFlaws(versions),
    ...labelFlaws(first?.name, 'spec.version'),
    ...missingNames(names),
    ...nameSyntaxFlaws(names),
    ...(first ? partFlaws(first, { path: 'spec', schemaPath: 'spec.validation', parts: shared }) : []),
    ...differenceFlaws(versions),
    ...conversionFlaws(spec),
  ];
}

function groupFlaws(group: string): readonly Cause[] {
  if (!group) return [required('spec.group')];
  const problems = subdomainProblems(group);
  if (problems.length > 0) return [invalidValue('spec.group', group, problems.join(','))];
  return group.includes('.') ? [] : [invalidValue('spec.group', group, 'should be a domain with at least one dot')];
}

/**
 * A real server holds what all versions say alike once, outside of them, and its messages name that place: `spec.validation`,
 * `spec.subresources`, `spec.additionalPrinterColumns`, `spec.selectableFields`.
 */
interface Parts {
  readonly schema: boolean;
  readonly subresources: boolean;
  readonly columns: boolean;
  readonly selectable: boolean;
}

function sharedParts(versions: readonly DefinitionVersion[]): Parts {
  const [first] = versions;
  const alike = (part: (version: DefinitionVersion) => unknown): boolean =>
    first !== undefined && versions.every((version) => deepEqual(part(version), part(first)));
  return {
    schema: alike(({ schema }) => schema),
    subresources: alike(({ subresources }) => subresources),
    columns: alike(({ additionalPrinterColumns }) => additionalPrinterColumns),
    selectable: alike(({ selectableFields }) => selectableFields),
  };
}

const everything: Parts = { schema: true, subresources: true, columns: true, selectable: true };

function versionFlaws(version: DefinitionVersion, path: FieldPath, shared: Parts): readonly Cause[] {
  return [
    ...labelFlaws(version.name, child(path, 'name')),
    ...deprecationFlaws(version, path),
    ...partFlaws(version, { path, schemaPath: child(path, 'schema'), parts: without(everything, shared) }),
  ];
}

const without = (parts: Parts, others: Parts): Parts => ({
  schema: parts.schema && !others.schema,
  subresources: parts.subresources && !others.subresources,
  columns: parts.columns && !others.columns,
  selectable: parts.selectable && !others.selectable,
});

interface Places {
  readonly path: FieldPath;
  readonly schemaPath: FieldPath;
  /** Which to look at. */
  readonly parts: Parts;
}

function partFlaws(version: DefinitionVersion, { path, schemaPath, parts }: Places): readonly Cause[] {
  const { additionalPrinterColumns = [], selectableFields = [], subresources } = version;
  const schema = version.schema?.openAPIV3Schema;
  return [
    ...(parts.schema && schema
      ? rootFlaws(schema, child(schemaPath, 'openAPIV3Schema'), subresources?.status !== undefined)
      : []),
    ...(parts.subresources && subresources ? subresourceFlaws(subresources, child(path, 'subresources')) : []),
    ...(parts.columns ? columnFlaws(additionalPrinterColumns, child(path, 'additionalPrinterColumns')) : []),
    ...(parts.selectable && schema && selectableFields.length > 0
      ? selectableFlaws(selectableFields, schema, child(path, 'selectableFields'))
      : []),
  ];
}

/** By the names that Go has for them: so the message lists them. */
const rootKeywords: ReadonlyMap<string, string> = new Map([
  ['description', 'Description'],
  ['type', 'Type'],
  ['format', 'Format'],
  ['title', 'Title'],
  ['maximum', 'Maximum'],
  ['exclusiveMaximum', 'ExclusiveMaximum'],
  ['minimum', 'Minimum'],
  ['exclusiveMinimum', 'ExclusiveMinimum'],
  ['maxLength', 'MaxLength'],
  ['minLength', 'MinLength'],
  ['pattern', 'Pattern'],
  ['maxItems', 'MaxItems'],
  ['minItems', 'MinItems'],
  ['uniqueItems', 'UniqueItems'],
  ['multipleOf', 'MultipleOf'],
  ['required', 'Required'],
  ['items', 'Items'],
  ['properties', 'Properties'],
  ['externalDocs', 'ExternalDocs'],
  ['example', 'Example'],
  ['x-kubernetes-preserve-unknown-fields', 'XPreserveUnknownFields'],
  ['x-kubernetes-validations', 'XValidations'],
]);

function rootFlaws(schema: Schema, path: FieldPath, hasStatus: boolean): readonly Cause[] {
  const structural = structuralFlaws(schema, path);
  return [
    ...(hasStatus ? statusRootFlaws(schema, path) : []),
    ...(schema.nullable ? [forbidden(child(path, 'nullable'), 'nullable cannot be true at the root')] : []),
    ...(structural.length > 0 ? structural : defaultFlaws(schema, path)),
    ...schemaFlaws(schema, path),
  ];
}

/** With a status subresource, the schema of the status must be all that is said of it. */
function statusRootFlaws(schema: Schema, path: FieldPath): readonly Cause[] {
  if (schema.type && schema.type !== 'object') {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [invalidValue(child(path, 'type'), schema.type, detail)];
  }
  if (Object.keys(schema).every((keyword) => rootKeywords.has(keyword))) return [];
  const names = [...rootKeywords.values()].join(' ');
  const detail = `only [${names}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [invalidValue(path, schema as JsonValue, detail)];
}

function versionSetFlaws(versions: readonly DefinitionVersion[]): readonly Cause[] {
  const names = new Set(versions.map(({ name }) => name));
  const stored = versions.filter(({ storage }) => storage).length;
  const found: Cause[] = [];
  const flaw = (detail: string): number =>
    found.push(invalidValue('spec.versions', versions as unknown as JsonValue, detail));
  if (names.size < versions.length) flaw('must contain unique version names');
  if (stored !== 1) flaw('must have exactly one version marked as storage version');
  return found;
}

function labelFlaws(label: string | undefined, path: FieldPath): readonly Cause[] {
  const problems = label === undefined ? [] : label1035Problems(label);
  return problems.length > 0 ? [invalidValue(path, label, problems.join(','))] : [];
}

const missingNames = ({ plural, singular, kind, listKind }: Names): readonly Cause[] =>
  Object.entries({ plural, singular, kind, listKind }).flatMap(([name, text]) =>
    text ? [] : [required(`spec.names.${name}`)],
  );

function nameSyntaxFlaws(names: Names): readonly Cause[] {
  const { plural, singular, kind, listKind, shortNames = [], categories = [] } = names;
  const ifAny = (text: string | undefined, path: FieldPath): readonly Cause[] => (text ? labelFlaws(text, path) : []);
  const list = (name: string, labels: readonly string[]): readonly Cause[] =>
    labels.flatMap((label, index) => labelFlaws(label, `spec.names.${name}[${index}]`));
  return [
    ...ifAny(plural, 'spec.names.plural'),
    ...ifAny(singular, 'spec.names.singular'),
    ...kindFlaws(kind, 'spec.names.kind'),
    ...kindFlaws(listKind, 'spec.names.listKind'),
    ...list('shortNames', shortNames),
    ...(kind && kind === listKind
      ? [invalidValue('spec.names.listKind', listKind, 'kind and listKind may not be the same')]
      : []),
    ...list('categories', categories),
  ];
}

function kindFlaws(kind: string | undefined, path: FieldPath): readonly Cause[] {
  const problems = kind ? label1035Problems(kind.toLowerCase()) : [];
  const detail = `may have mixed case, but should otherwise match: ${problems.join(',')}`;
  return problems.length > 0 ? [invalidValue(path, kind, detail)] : [];
}

function conversionFlaws({ conversion }: DefinitionSpec): readonly Cause[] {
  if (!conversion || conversion.strategy === 'None') return [];
  const path = 'spec.conversion.strategy';
  if (!strategies.includes(conversion.strategy)) return [notSupported(path, conversion.strategy, strategies)];
  return [forbidden(path, 'conversion by webhook is not available here: all versions must be alike')];
}

/** Ours, not a real server's. */
function differenceFlaws(versions: readonly DefinitionVersion[]): readonly Cause[] {
  const stored = versions.find(({ storage }) => storage);
  if (!stored) return [];
  return versions.flatMap((version, index) => {
    const path = `spec.versions[${index}]`;
    const detail = `must be that of ${stored.name}: objects have one form here, whatever their version`;
    return [
      ...(deepEqual(version.schema, stored.schema) ? [] : [forbidden(child(path, 'schema'), detail)]),
      ...(deepEqual(version.subresources, stored.subresources) ? [] : [forbidden(child(path, 'subresources'), detail)]),
    ];
  });
}

function immutableFlaws({ scope, group, names }: DefinitionSpec, old: Definition): readonly Cause[] {
  const detail = 'field is immutable';
  const same = (now: string, before: string, path: FieldPath): readonly Cause[] =>
    now === before ? [] : [invalidValue(path, now, detail)];
  return [
    ...(isTrue(old, 'Established')
      ? [...same(scope, old.spec.scope, 'spec.scope'), ...same(names.kind, old.spec.names.kind, 'spec.names.kind')]
      : []),
    ...same(group, old.spec.group, 'spec.group'),
    ...same(names.plural, old.spec.names.plural, 'spec.names.plural'),
  ];
}

function storedVersionFlaws({ spec: { versions = [] }, status }: Definition): readonly Cause[] {
  const path = 'status.storedVersions';
  const stored = status?.storedVersions ?? [];
  if (stored.length === 0) return [invalidValue(path, null, 'must have at least one stored version')];
  const left = new Set(stored);
  const absent = versions.flatMap(({ name, storage }) => {
    // A name that comes twice counts once.
    const known = left.delete(name);
    return storage && !known ? [invalidValue(path, stored, `must have the storage version ${name}`)] : [];
  });
  const stale = stored.flatMap((name, index) =>
    left.has(name) ? [invalidValue(`${path}[${index}]`, name, missing(name))] : [],
  );
  return [...absent, ...stale];
}

const missing = (name: string): string =>
  `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;

function preserveFlaws({ preserveUnknownFields }: DefinitionSpec, old: Definition | undefined): readonly Cause[] {
  if (!preserveUnknownFields || old?.spec.preserveUnknownFields) return [];
  const detail =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalidValue('spec.preserveUnknownFields', true, detail)];
}
