/** What a version of a CustomResourceDefinition says beside its schema. */
import type { Cause } from '../../api-error.ts';
import { child, duplicate, type FieldPath, invalidValue, required, tooMany } from '../../field-error.ts';
import type { Schema } from '../../schema/compiled-schema.ts';
import type { Column, DefinitionVersion, Subresources } from './definition.ts';

export function deprecationFlaws(version: DefinitionVersion, path: FieldPath): readonly Cause[] {
  const { deprecated = false, deprecationWarning: warning } = version;
  if (warning === undefined) return [];
  const problems = deprecated
    ? [
        ...(warning.length > 256 ? ['must be <= 256 characters long'] : []),
        ...(warning === '' ? ['must not be an empty string'] : []),
      ]
    : ['can only be set for deprecated versions'];
  return problems.map((problem) => invalidValue(child(path, 'deprecationWarning'), warning, problem));
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

export const columnFlaws = (columns: readonly Column[], path: FieldPath): readonly Cause[] =>
  columns.flatMap((column, index) => oneColumnFlaws(column, `${path}[${index}]`));

function oneColumnFlaws({ name, type, format, jsonPath }: Column, path: FieldPath): readonly Cause[] {
  const oneOf = (names: readonly string[]): string => `must be one of ${names.join(',')}`;
  const typeAt = child(path, 'type');
  const found: Cause[] = [];
  if (!name) found.push(required(child(path, 'name')));
  if (!type) found.push(required(typeAt, oneOf(columnTypes)));
  else if (!columnTypes.includes(type)) found.push(invalidValue(typeAt, type, oneOf(columnTypes)));
  if (format && !columnFormats.includes(format)) {
    found.push(invalidValue(child(path, 'format'), format, oneOf(columnFormats)));
  }
  return [...found, ...pathFlaws(jsonPath, child(path, 'JSONPath'))];
}

function pathFlaws(jsonPath: string, at: FieldPath): readonly Cause[] {
  if (!jsonPath) return [required(at)];
  return jsonPath.startsWith('.') ? [] : [invalidValue(at, jsonPath, 'must be a simple json path starting with .')];
}

export function subresourceFlaws({ scale }: Subresources, path: FieldPath): readonly Cause[] {
  if (!scale) return [];
  const under = (jsonPath: string, name: string, where: readonly string[]): readonly Cause[] => {
    const at = child(path, `scale.${name}`);
    const flaws = pathFlaws(jsonPath, at);
    if (flaws.length > 0 || where.some((prefix) => jsonPath.startsWith(`${prefix}.`))) return flaws;
    const place = where.length > 1 ? `either ${where.join(' or ')}` : where.join('');
    return [invalidValue(at, jsonPath, `should be a json path under ${place}`)];
  };
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return [
    ...under(specReplicasPath, 'specReplicasPath', ['.spec']),
    ...under(statusReplicasPath, 'statusReplicasPath', ['.status']),
    ...(labelSelectorPath ? under(labelSelectorPath, 'labelSelectorPath', ['.spec', '.status']) : []),
  ];
}

const mostFields = 8;
const selectableTypes = new Set<string | undefined>(['string', 'boolean', 'integer']);

export function selectableFlaws(
  fields: readonly { readonly jsonPath: string }[],
  schema: Schema,
  path: FieldPath,
): readonly Cause[] {
  const seen = new Set<string>();
  const found = fields.flatMap(({ jsonPath }, index): readonly Cause[] => {
    const at = child(`${path}[${index}]`, 'jsonPath');
    if (!jsonPath) return [required(at)];
    const target = schemaAt(schema, jsonPath);
    if (typeof target === 'string') return [invalidValue(at, jsonPath, `is an invalid path: ${target}`)];
    const repeated = seen.has(jsonPath);
    seen.add(jsonPath);
    return [
      ...(jsonPath.startsWith('.metadata') ? [invalidValue(at, jsonPath, 'must not point to fields in metadata')] : []),
      ...(selectableTypes.has(target.type)
        ? []
        : [
            invalidValue(
              at,
              jsonPath,
              'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
            ),
          ]),
      ...(repeated ? [duplicate(at, jsonPath)] : []),
    ];
  });
  return seen.size > mostFields ? [...found, tooMany(path, seen.size, mostFields)] : found;
}

/** The schema of a field, or why there is none. */
function schemaAt(root: Schema, jsonPath: string): Schema | string {
  if (!jsonPath.startsWith('.')) return `expected [ or . but got: ${/^\w*/.exec(jsonPath)?.[0] ?? ''}`;
  let at: Schema | undefined = root;
  for (const name of jsonPath.slice(1).split('.')) {
    at = at?.properties && Object.hasOwn(at.properties, name) ? at.properties[name] : undefined;
  }
  return at ?? 'does not refer to a valid field';
}
