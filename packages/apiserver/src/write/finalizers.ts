/** `metadata.finalizers`: what may stand in them, and those of the garbage collector. */
import type { Cause } from '../api-error.ts';
import { forbidden, invalidValue, syntaxFlaws } from '../field-error.ts';
import { goQuote } from '../go-text.ts';
import { labelKeyProblems } from '../label-syntax.ts';
import { type Resource, type StoredObject, withMetadata, withoutMetadata } from '../resources/resource.ts';

/** Hold an object until its dependents have been let go, or are gone: the garbage collector takes them off. */
export const [orphanFinalizer, foregroundFinalizer] = ['orphan', 'foregroundDeletion'] as const;

/** Those without a domain that are Kubernetes' own. */
export const standardFinalizers: ReadonlySet<string> = new Set([orphanFinalizer, foregroundFinalizer, 'kubernetes']);

/** Groups whose kinds are checked by apimachinery alone. */
const lenientGroups: ReadonlySet<string> = new Set(['coordination.k8s.io', 'apiextensions.k8s.io']);

/** The object with these finalizers: without the list where there are none. */
export const withFinalizers = (object: StoredObject, finalizers: readonly string[]): StoredObject =>
  finalizers.length > 0 ? withMetadata(object, { finalizers: [...finalizers] }) : withoutMetadata(object, 'finalizers');

const finalizersPath = 'metadata.finalizers';

/** What is wrong with them. */
export function finalizerFlaws(finalizers: readonly string[]): readonly Cause[] {
  const causes = finalizers.flatMap((name) => syntaxFlaws(finalizersPath, name, labelKeyProblems));
  if (finalizers.includes(orphanFinalizer) && finalizers.includes(foregroundFinalizer)) {
    const detail = `finalizer ${orphanFinalizer} and ${foregroundFinalizer} cannot be both set`;
    causes.push(invalidValue(finalizersPath, [...finalizers], detail));
  }
  return causes;
}

/** Most built-in kinds take none without a domain but those of Kubernetes. */
export function kindFinalizerFlaws({ decoding, group }: Resource, finalizers: readonly string[]): readonly Cause[] {
  if (decoding !== 'typed' || lenientGroups.has(group)) return [];
  const detail = 'name is neither a standard finalizer name nor is it fully qualified';
  return finalizers.flatMap((name, index) =>
    name.includes('/') || standardFinalizers.has(name)
      ? []
      : [invalidValue(`${finalizersPath}[${index}]`, name, detail)],
  );
}

/** An object that is going takes no new ones. */
export function newFinalizerFlaws(next: readonly string[], old: readonly string[]): readonly Cause[] {
  const added = [...new Set(next)].filter((name) => !old.includes(name)).sort();
  if (added.length === 0) return [];
  const shown = `[]string{${added.map(goQuote).join(', ')}}`;
  const why = `no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`;
  return [forbidden(finalizersPath, why)];
}
