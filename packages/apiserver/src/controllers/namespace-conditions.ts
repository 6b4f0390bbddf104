/** What the conditions of a terminating namespace say. @see kubernetes/kubernetes@v1.36.3 pkg/controller/namespace/deletion/status_condition_utils.go */
import type { JsonObject } from '@lifeline/core';
import type { Resource, StoredObject } from '../resources/resource.ts';

/** What is still in a namespace. */
export interface Content {
  readonly resource: Pick<Resource, 'group' | 'plural'>;
  readonly objects: readonly StoredObject[];
}

interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

const fine: readonly Condition[] = [
  ['NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'],
  ['NamespaceDeletionGroupVersionParsingFailure', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'],
  [
    'NamespaceDeletionContentFailure',
    'ContentDeleted',
    'All content successfully deleted, may be waiting on finalization',
  ],
  ['NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'],
  ['NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
].map(([type = '', reason = '', message = '']) => ({ type, status: 'False', reason, message }));

/** The conditions of a namespace with this content; the ones it has where nothing changes. @param now RFC 3339 */
export function namespaceConditions(
  old: readonly JsonObject[],
  content: readonly Content[],
  now: string,
): readonly JsonObject[] {
  const told = [...remaining(content), ...finalizers(content)];
  let changed = false;
  const conditions = fine.map((usual): JsonObject => {
    const wanted = told.find(({ type }) => type === usual.type) ?? usual;
    const before = old.find(({ type }) => type === usual.type);
    if (
      before &&
      before['status'] === wanted.status &&
      before['reason'] === wanted.reason &&
      before['message'] === wanted.message
    ) {
      return before;
    }
    changed = true;
    const lastTransitionTime = before?.['status'] === wanted.status ? (before['lastTransitionTime'] ?? now) : now;
    return {
      type: wanted.type,
      status: wanted.status,
      lastTransitionTime,
      reason: wanted.reason,
      message: wanted.message,
    };
  });
  const others = old.filter(({ type }) => !fine.some((usual) => usual.type === type));
  return changed ? [...others, ...conditions] : old;
}

function remaining(content: readonly Content[]): readonly Condition[] {
  const counts = content
    .filter(({ objects }) => objects.length > 0)
    .map(({ resource: { plural, group }, objects }) => `${plural}.${group} has ${objects.length} resource instances`);
  if (counts.length === 0) return [];
  const message = `Some resources are remaining: ${counts.sort().join(', ')}`;
  return [{ type: 'NamespaceContentRemaining', status: 'True', reason: 'SomeResourcesRemain', message }];
}

function finalizers(content: readonly Content[]): readonly Condition[] {
  const counts = new Map<string, number>();
  for (const { objects } of content) {
    for (const { metadata } of objects) {
      for (const name of metadata.finalizers ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  if (counts.size === 0) return [];
  const told = [...counts].map(([name, count]) => `${name} in ${count} resource instances`).sort();
  const message = `Some content in the namespace has finalizers remaining: ${told.join(', ')}`;
  return [{ type: 'NamespaceFinalizersRemaining', status: 'True', reason: 'SomeFinalizersRemain', message }];
}
