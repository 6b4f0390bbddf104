/** Names of a CustomResourceDefinition and of its versions. */
import type { Cause } from '../../api-error.ts';
import { label1035Problems } from '../../dns-syntax.ts';
import { type FieldPath, invalidValue, required } from '../../field-error.ts';
import type { Names } from './definition.ts';

/** @param label undefined: nobody asks */
export function labelFlaws(label: string | undefined, path: FieldPath): readonly Cause[] {
  const problems = label === undefined ? [] : label1035Problems(label);
  return problems.length > 0 ? [invalidValue(path, label, problems.join(','))] : [];
}

/** The names that a definition asks for. */
export const nameFlaws = (names: Names): readonly Cause[] => [...missingNames(names), ...nameSyntaxFlaws(names)];

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
