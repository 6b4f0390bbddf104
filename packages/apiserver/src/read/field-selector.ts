/** The `fieldSelector` of a query. @see kubernetes/apimachinery@v0.36.3 pkg/fields/selector.go */
import { badRequest } from '../api-error.ts';
import type { Resource, ResourceVersion, StoredObject } from '../resources/resource.ts';
import { valueAtPath } from '../simple-path.ts';

interface FieldRequirement {
  /** `metadata.name`, `spec.nodeName`. */
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/** All must hold. */
export type FieldSelector = readonly FieldRequirement[];

/** @throws ApiError 400: no selector, or none that the resource knows */
export function parseFieldSelector(
  text: string,
  { resource, version }: { readonly resource: Resource; readonly version: ResourceVersion },
): FieldSelector {
  const requirements = terms(text).map((term) => parseTerm(term, text));
  for (const { field } of requirements) {
    if (field === 'metadata.name' || field === 'metadata.namespace') continue;
    if (version.selectableFields.includes(`.${field}`)) continue;
    throw badRequest(
      resource.decoding === 'typed' && version.selectableFields.length === 0
        ? `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`
        : `field label not supported: ${field}`,
    );
  }
  return requirements;
}

/** @param object in that version, for which the selector was parsed */
export const matchesFields = (selector: FieldSelector, object: StoredObject, { fieldText }: ResourceVersion): boolean =>
  selector.every(({ field, equal, value }) => {
    const path = `.${field}`;
    const text = fieldText?.(object, path) ?? textAt(object, path);
    return (text === value) === equal;
  });

/** What a selector compares: a field that is absent is empty. */
function textAt(object: StoredObject, path: string): string {
  const value = valueAtPath(object, path);
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}

/** Commas with a backslash before them separate nothing. */
const terms = (text: string): readonly string[] =>
  (text.match(/(?:\\.|[^\\,]|\\$)+/gs) ?? []).sort((a, b) => (a < b ? -1 : 1));

function parseTerm(term: string, text: string): FieldRequirement {
  const [, field, operator, value] = /^(.*?)(!=|==|=)(.*)$/s.exec(term) ?? [];
  if (field === undefined || value === undefined) {
    throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
  }
  return { field, equal: operator !== '!=', value: unescape(value) };
}

function unescape(value: string): string {
  return value.replace(/\\(.?)|([,=])/gsu, (sequence, escaped: string | undefined, bare: string | undefined) => {
    if (bare !== undefined) {
      throw badRequest(`invalid field selector: unescaped character in value: ${bare.codePointAt(0)}`);
    }
    if (escaped === '\\' || escaped === ',' || escaped === '=') return escaped;
    throw badRequest(`invalid field selector: invalid escape sequence: ${sequence}`);
  });
}

/** The one name that a selector leaves possible. It need not be a valid one. */
export function onlyNameIn(text: string | null): string | undefined {
  const found = text === null ? null : /(?:^|,)metadata\.name==?([^,=\\]+)(?:,|$)/.exec(text);
  return found?.[1];
}
