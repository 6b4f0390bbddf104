/** What is wrong with the metadata of an object, whatever its kind. @see kubernetes/apimachinery@v0.36.3 pkg/api/validation/objectmeta.go */
import { annotationBytes, annotationLimitBytes, deepEqual, type ObjectMeta } from '@lifeline/core';
import type { Cause } from '../api-error.ts';
import { label1123Problems, subdomainProblems } from '../dns-syntax.ts';
import { invalidValue, negativeFlaws, required, syntaxFlaws, tooLong } from '../field-error.ts';
import { labelKeyProblems, labelValueProblems } from '../label-syntax.ts';
import type { Resource } from '../resources/resource.ts';
import { finalizerFlaws, kindFinalizerFlaws, newFinalizerFlaws } from './finalizers.ts';
import { ownerFlaws } from './owner-references.ts';

/** Kinds whose names and finalizers are looked at closely when they are created, and no more when they are updated. */
const checkedOnce: ReadonlySet<string> = new Set([
  'namespaces',
  'leases.coordination.k8s.io',
  'deployments.apps',
  'customresourcedefinitions.apiextensions.k8s.io',
]);

/** @param old what it replaces: what is the same was right already */
export function metadataFlaws(resource: Resource, metadata: ObjectMeta, old?: ObjectMeta): readonly Cause[] {
  if (!old) return closely(resource, metadata, undefined);
  const common = [
    ...contentFlaws(metadata, old),
    ...(metadata.finalizers === old.finalizers ? [] : finalizerFlaws(metadata.finalizers ?? [])),
  ];
  const changes = metadataUpdateFlaws(metadata, old);
  // A real server looks several times, and tells as often what it finds.
  const again = resource.decoding === 'typed' && !checkedOnce.has(resource.id) ? closely(resource, metadata, old) : [];
  return [...common, ...changes, ...changes, ...again];
}

/** As an object of its kind is looked at by itself. */
const closely = (resource: Resource, metadata: ObjectMeta, old: ObjectMeta | undefined): readonly Cause[] => [
  ...(old && metadata.generateName === old.generateName ? [] : nameFlaws(resource, metadata)),
  ...(resource.namespaced && !old ? namespaceFlaws(metadata.namespace) : []),
  ...negativeFlaws('metadata.generation', metadata.generation),
  ...contentFlaws(metadata, old),
  ...(metadata.finalizers === old?.finalizers
    ? []
    : [...finalizerFlaws(metadata.finalizers ?? []), ...kindFinalizerFlaws(resource, metadata.finalizers ?? [])]),
];

/** What an update must not do, and what it changes. */
function metadataUpdateFlaws(next: ObjectMeta, old: ObjectMeta): readonly Cause[] {
  return [
    ...(old.deletionTimestamp ? newFinalizerFlaws(next.finalizers ?? [], old.finalizers ?? []) : []),
    ...(['name', 'namespace', 'uid', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const).flatMap((field) =>
      deepEqual(next[field] ?? null, old[field] ?? null)
        ? []
        : [invalidValue(`metadata.${field}`, next[field] ?? null, 'field is immutable')],
    ),
    ...contentFlaws(next, old),
  ];
}

function nameFlaws({ strategy }: Resource, { name, generateName }: ObjectMeta): readonly Cause[] {
  const problems = strategy.nameProblems ?? subdomainProblems;
  const causes = syntaxFlaws('metadata.generateName', generateName || undefined, (prefix) =>
    problems(asIfComplete(prefix)),
  );
  if (!name) return [...causes, required('metadata.name', 'name or generateName is required')];
  return [...causes, ...syntaxFlaws('metadata.name', name, problems)];
}

/** A dash at the end is followed by what the server adds. */
const asIfComplete = (prefix: string): string => (/.-$/.test(prefix) ? `${prefix.slice(0, -2)}a` : prefix);

function namespaceFlaws(namespace: string | undefined): readonly Cause[] {
  if (!namespace) return [required('metadata.namespace')];
  return syntaxFlaws('metadata.namespace', namespace, label1123Problems);
}

/** Labels, annotations and owners. */
const contentFlaws = (metadata: ObjectMeta, old: ObjectMeta | undefined): readonly Cause[] => [
  ...(metadata.labels === old?.labels ? [] : labelFlaws(metadata.labels ?? {})),
  ...(metadata.annotations === old?.annotations ? [] : annotationFlaws(metadata.annotations ?? {})),
  ...(metadata.ownerReferences === old?.ownerReferences ? [] : ownerFlaws(metadata.ownerReferences ?? [])),
];

const labelFlaws = (labels: Readonly<Record<string, string>>): readonly Cause[] =>
  Object.entries(labels).flatMap(([key, value]) => [
    ...syntaxFlaws('metadata.labels', key, labelKeyProblems),
    ...syntaxFlaws('metadata.labels', value, labelValueProblems),
  ]);

const annotationFlaws = (annotations: Readonly<Record<string, string>>): readonly Cause[] => [
  ...Object.keys(annotations).flatMap((key) =>
    syntaxFlaws('metadata.annotations', key, () => labelKeyProblems(key.toLowerCase())),
  ),
  ...(annotationBytes(annotations) > annotationLimitBytes
    ? [tooLong('metadata.annotations', annotationLimitBytes)]
    : []),
];
