/** What a writer asks for beside the write: query parameters of creates, updates and patches. */
import { utf8Bytes } from '@lifeline/core';
import { type Cause, invalid } from '../api-error.ts';
import { choiceFlaws, forbidden, invalidValue, notSupported, required, tooLong } from '../field-error.ts';
import { queryFlag } from '../http/query.ts';
import type { FieldValidation } from './strict-decoding.ts';

export interface WriteOptions {
  readonly dryRun: boolean;
  /** As given. Undefined: the user agent says who writes. */
  readonly fieldManager: string | undefined;
  readonly fieldValidation: FieldValidation;
  /** Of an apply. */
  readonly force: boolean;
}

export type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions';

/** @param applies whether it is an apply @throws ApiError 422 */
export function readWriteOptions(query: URLSearchParams, kind: OptionsKind, applies = false): WriteOptions {
  const fieldManager = query.get('fieldManager') ?? '';
  const fieldValidation = query.get('fieldValidation') ?? '';
  refuseOptions(kind, [
    ...(kind === 'PatchOptions' ? patchFlaws(query, fieldManager, applies) : []),
    ...fieldManagerFlaws(fieldManager),
    ...dryRunFlaws(query.getAll('dryRun')),
    ...choiceFlaws('fieldValidation', fieldValidation, fieldValidations),
  ]);
  return {
    dryRun: query.has('dryRun'),
    fieldManager: fieldManager === '' ? undefined : fieldManager,
    fieldValidation: (fieldValidation || 'Warn') as FieldValidation,
    force: applies && queryFlag(query, 'force'),
  };
}

/** @throws ApiError 422 where there is a cause */
export function refuseOptions(kind: OptionsKind, causes: readonly Cause[]): void {
  if (causes.length > 0) throw invalid({ resource: { group: 'meta.k8s.io', kind, plural: '' } }, causes);
}

/** Who writes, by the name of its program: the user agent up to the first slash, as far as it can be printed. */
export function managerOf(userAgent: string | undefined): string {
  let manager = '';
  for (const char of (userAgent ?? '').split('/')[0] as string) {
    if (!isPrintable(char)) continue;
    if (utf8Bytes(manager) + utf8Bytes(char) > managerLimit) break;
    manager += char;
  }
  return manager;
}

const managerLimit = 128;
const fieldValidations = ['', 'Ignore', 'Strict', 'Warn'];

const isPrintable = (char: string): boolean => /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(char);

const patchFlaws = (query: URLSearchParams, fieldManager: string, applies: boolean): readonly Cause[] => {
  if (applies) return fieldManager === '' ? [required('fieldManager', 'is required for apply patch')] : [];
  return query.has('force') ? [forbidden('force', 'may not be specified for non-apply patch')] : [];
};

function fieldManagerFlaws(manager: string): readonly Cause[] {
  const causes = utf8Bytes(manager) > managerLimit ? [tooLong('fieldManager', managerLimit)] : [];
  let position = 0;
  for (const char of manager) {
    if (!isPrintable(char)) {
      const code = (char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
      causes.push(invalidValue('fieldManager', manager, `invalid character U+${code} (at position ${position})`));
    }
    position += utf8Bytes(char);
  }
  return causes;
}

export const dryRunFlaws = (values: readonly string[]): readonly Cause[] =>
  values.every((value) => value === 'All') ? [] : [notSupported('dryRun', [...values], ['All'])];
