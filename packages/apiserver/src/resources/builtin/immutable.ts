import { deepEqual, type JsonValue } from '@lifeline/core';
import type { Cause } from '../../api-error.ts';
import { forbidden, invalidValue } from '../../field-error.ts';

/** A field that may not change after the object was created. */
export const unchanged = (field: string, next: JsonValue | undefined, old: JsonValue | undefined): readonly Cause[] =>
  deepEqual(next ?? null, old ?? null) ? [] : [invalidValue(field, next, 'field is immutable')];

interface Sealable {
  readonly immutable?: boolean | null;
}

/** What a ConfigMap or a Secret may no longer do once it is marked `immutable`. @param fields their contents */
export function sealedFlaws<T extends Sealable>(
  next: T,
  old: T,
  fields: readonly (keyof T & string)[],
): readonly Cause[] {
  if (old.immutable !== true) return [];
  const changed = fields.filter((field) => !deepEqual(next[field] ?? null, old[field] ?? null));
  return [...(next.immutable === true ? [] : ['immutable']), ...changed].map((field) =>
    forbidden(field, 'field is immutable when `immutable` is set'),
  );
}
