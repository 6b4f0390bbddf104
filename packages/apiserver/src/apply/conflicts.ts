/** Fields that an applier wants to be otherwise than somebody else who owns them. */
import { ApiError } from '../api-error.ts';
import { goQuote } from '../go-text.ts';
import { pathsOf } from './fields/field-set.ts';
import type { Owner } from './owners.ts';
import type { Taken } from './ownership.ts';

/** 409 with a cause for each field. @see kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/conflict.go */
export function applyConflict(taken: readonly Taken[]): ApiError {
  const conflicts = [...taken]
    .sort(({ key: a }, { key: b }) => (a < b ? -1 : 1))
    .map(({ owner, fields }) => ({ owner: describeOwner(owner), paths: pathsOf(fields) }));
  const causes = conflicts.flatMap(({ owner, paths }) =>
    paths.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${owner}`, field })),
  );
  return new ApiError({ code: 409, reason: 'Conflict', message: messageOf(conflicts), details: { causes } });
}

interface Conflict {
  readonly owner: string;
  readonly paths: readonly string[];
}

function messageOf(conflicts: readonly Conflict[]): string {
  const count = conflicts.reduce((sum, { paths }) => sum + paths.length, 0);
  const [first] = conflicts;
  if (first && count === 1)
    return `Apply failed with 1 conflict: conflict with ${first.owner}: ${first.paths.join('')}`;
  const lines = conflicts.flatMap(({ owner, paths }) => [
    `conflicts with ${owner}:`,
    ...paths.map((path) => `- ${path}`),
  ]);
  return `Apply failed with ${count} conflicts: ${lines.join('\n')}`;
}

function describeOwner({ manager, operation, apiVersion, subresource }: Owner): string {
  const name = `${goQuote(manager)}${subresource === '' ? '' : ` with subresource ${goQuote(subresource)}`}`;
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}
