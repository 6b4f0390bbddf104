/** Whether a CustomResourceDefinition can be served, in the words of a real server. */
import { deepEqual, type JsonValue } from '@lifeline/core';
import type { Cause } from '../../api-error.ts';
import { subdomainProblems } from '../../dns-syntax.ts';
import {
  child,
  choiceFlaws,
  type FieldPath,
  forbidden,
  invalidValue,
  notSupported,
  required,
} from '../../field-error.ts';
import { approvalFlaws } from './approval.ts';
import { type Definition, type DefinitionSpec, type DefinitionVersion, isTrue } from './definition.ts';
import { labelFlaws, nameFlaws } from './name-flaws.ts';
import { rootFlaws } from './root-flaws.ts';
import { columnFlaws, deprecationFlaws, selectableFlaws, subresourceFlaws } from './version-flaws.ts';

/**
 * None: it can. CEL rules are not compiled. Beyond what a real server refuses, so are conversion by webhook and versions that differ in
 * schema or subresources: objects here have one form.
 * @param old what is updated; undefined on create
 * @see kubernetes/apiextensions-apiserver@v0.36.3 pkg/apis/apiextensions/validation/validation.go
 */
export const definitionFlaws = (definition: Definition, old: Definition | undefined): readonly Cause[] => [
  ...(old ? [] : objectNameFlaws(definition)),
  ...specFlaws(definition.spec),
  ...(old ? immutableFlaws(definition.spec, old) : []),
  ...storedVersionFlaws(definition),
  ...approvalFlaws(definition, old),
  ...preserveFlaws(definition.spec, old),
];

function objectNameFlaws({ metadata: { name }, spec }: Definition): readonly Cause[] {
  return name === `${spec.names.plural}.${spec.group}`
    ? []
    : [invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group')];
}

const strategies = ['None', 'Webhook'];

function specFlaws(spec: DefinitionSpec): readonly Cause[] {
  const { group, scope, versions = [], names } = spec;
  const shared = sharedParts(versions);
  const [first] = versions;
  return [
    ...groupFlaws(group),
    ...(scope ? choiceFlaws('spec.scope', scope, ['Cluster', 'Namespaced']) : [required('spec.scope')]),
    ...versions.flatMap((version, index) =>
      version.schema?.openAPIV3Schema ? [] : [required(`spec.versions[${index}].schema.openAPIV3Schema`)],
    ),
    ...versions.flatMap((version, index) => versionFlaws(version, `spec.versions[${index}]`, shared)),
    ...versionSetFlaws(versions),
    ...labelFlaws(first?.name, 'spec.version'),
    ...nameFlaws(names),
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
