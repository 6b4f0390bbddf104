/** kubectl's move from client-side to server-side apply: the annotation in which it kept what it applied. */
import { annotationBytes, annotationLimitBytes, isJsonObject, type JsonObject, parseJson } from '@lifeline/core';
import { goJson } from '../go-text.ts';
import { type StoredObject, withMetadata } from '../resources/resource.ts';
import { configurationFlaws } from './fields/check.ts';
import { compareObjects } from './fields/compare.ts';
import { appliedFields } from './fields/fields-of.ts';
import { difference, emptySet, type FieldSet, isEmptySet } from './fields/field-set.ts';
import type { Scope, Taken } from './ownership.ts';

/** The only manager that moves. */
const kubectl = 'kubectl';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * The conflicts that are conflicts: what kubectl applied on the client's side, and nobody changed since, it may take over.
 * @see kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/lastappliedmanager.go
 */
export function conflictsToSettle(scope: Scope, taken: readonly Taken[], live: StoredObject): readonly Taken[] {
  if (scope.author.manager !== kubectl) return taken;
  const allowed = appliedBefore(scope, live);
  return taken.flatMap((conflict) => {
    const fields = difference(conflict.fields, allowed);
    return isEmptySet(fields) ? [] : [{ ...conflict, fields }];
  });
}

function appliedBefore(scope: Scope, live: StoredObject): FieldSet {
  const last = lastApplied(live.metadata.annotations?.[annotation]);
  if (last?.['apiVersion'] !== scope.author.apiVersion || configurationFlaws(scope.type, last).length > 0)
    return emptySet;
  const { added, modified, removed } = compareObjects(scope.type, last, live);
  return [modified, added, removed].reduce(difference, appliedFields(scope.type, last));
}

function lastApplied(text: string | undefined): JsonObject | undefined {
  if (!text) return undefined;
  try {
    const last = parseJson(text);
    return isJsonObject(last) ? last : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What kubectl applied, kept up to date for its client-side apply, where that was used.
 * @see kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/lastappliedupdater.go
 */
export function keepLastApplied({ author }: Scope, object: StoredObject, applied: StoredObject): StoredObject {
  const annotations = object.metadata.annotations ?? {};
  const before = annotations[annotation];
  if (author.manager !== kubectl || !before) return object;
  const text = `${goJson(withoutAnnotation(applied))}\n`;
  if (text === before) return object;
  const { [annotation]: _, ...others } = annotations;
  const next = { ...others, [annotation]: text };
  return withMetadata(object, { annotations: annotationBytes(next) > annotationLimitBytes ? others : next });
}

function withoutAnnotation(applied: StoredObject): StoredObject {
  const { annotations } = applied.metadata;
  if (!annotations) return applied;
  const { [annotation]: _, ...others } = annotations;
  return withMetadata(applied, { annotations: others });
}
