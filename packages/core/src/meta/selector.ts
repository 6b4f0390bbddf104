/**
 * Label selectors, as objects (`matchLabels`, `matchExpressions`) and as text (`app=web,tier in (a,b),!old`).
 *
 * @see kubernetes/apimachinery@8140f573b pkg/labels/selector.go. `>` and `<` exist there for node selectors only and are refused here.
 */
import { z } from 'zod';
import { PlatformError } from '../errors.ts';
import { isLabelValue, isQualifiedName } from './syntax.ts';

/** `metav1.LabelSelector`. */
export const labelSelectorSchema = z.looseObject({
  matchLabels: z.record(z.string(), z.string()).nullish(),
  matchExpressions: z
    .array(z.looseObject({ key: z.string(), operator: z.string(), values: z.array(z.string()).nullish() }))
    .nullish(),
});
/** As written in a spec. `{}` selects everything. */
export type LabelSelector = z.infer<typeof labelSelectorSchema>;

/** One condition on one label. A missing label is `NotIn` every set of values. */
export type Requirement =
  | { readonly key: string; readonly operator: 'In' | 'NotIn'; readonly values: readonly string[] }
  | { readonly key: string; readonly operator: 'Exists' | 'DoesNotExist' };

/** All must hold. None: everything is selected. */
export type Requirements = readonly Requirement[];

/** A selector that the API server would refuse. Its message names the part. */
export class SelectorError extends PlatformError<'invalid-selector'> {
  constructor(message: string) {
    super('invalid-selector', message);
  }
}

/** An object's labels, as found. */
export type LabelMap = Readonly<Record<string, string>> | null | undefined;

/** Whether labels meet every requirement. */
export function matchesSelector(requirements: Requirements, labels: LabelMap): boolean {
  return requirements.every((requirement) => {
    const value = labels && Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined;
    switch (requirement.operator) {
      case 'In':
        return value !== undefined && requirement.values.includes(value);
      case 'NotIn':
        return value === undefined || !requirement.values.includes(value);
      case 'Exists':
        return value !== undefined;
      case 'DoesNotExist':
        return value === undefined;
    }
  });
}

/** @throws SelectorError on an operator, key or value that the API server refuses */
export function requirementsOf({ matchLabels, matchExpressions }: LabelSelector): Requirements {
  return [
    ...Object.entries(matchLabels ?? {}).map(([key, value]) => requirement(key, 'In', [value])),
    ...(matchExpressions ?? []).map(({ key, operator, values }) => requirement(key, operator, values ?? [])),
  ];
}

/** @throws SelectorError */
export function parseSelector(text: string): Requirements {
  if (text.trim() === '') return [];
  return text.split(/,(?![^(]*\))/).map((part) => parseRequirement(part.trim()));
}

/** The text that {@link parseSelector} reads, by key and with sorted values: equal selectors give equal texts. */
export function formatSelector(requirements: Requirements): string {
  return requirements.map(formatRequirement).toSorted().join(',');
}

function parseRequirement(text: string): Requirement {
  const set = /^([^\s()=!,]+)\s+(in|notin)\s*\(([^()]*)\)$/.exec(text);
  if (set) {
    const [, key = '', operator, values = ''] = set;
    const list = values.trim() === '' && !values.includes(',') ? [] : values.split(',').map((value) => value.trim());
    return requirement(key, operator === 'in' ? 'In' : 'NotIn', list);
  }
  const equality = /^([^\s()=!,]+)\s*(==|=|!=)\s*([^\s()=!,]*)$/.exec(text);
  if (equality) {
    const [, key = '', operator, value = ''] = equality;
    return requirement(key, operator === '!=' ? 'NotIn' : 'In', [value]);
  }
  const [, not, key = text] = /^(!?)\s*([^\s()=!,]+)$/.exec(text) ?? [];
  return requirement(key, not ? 'DoesNotExist' : 'Exists', []);
}

function requirement(key: string, operator: string, values: readonly string[]): Requirement {
  if (!isQualifiedName(key)) throw new SelectorError(`${JSON.stringify(key)} is no label key`);
  const bad = values.find((value) => !isLabelValue(value));
  if (bad !== undefined) throw new SelectorError(`${JSON.stringify(bad)} is no label value`);
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) throw new SelectorError(`${key}: ${operator} needs values`);
      return { key, operator, values: [...new Set(values)].toSorted() };
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) throw new SelectorError(`${key}: ${operator} takes no values`);
      return { key, operator };
    default:
      throw new SelectorError(`${key}: unknown operator ${JSON.stringify(operator)}`);
  }
}

function formatRequirement(requirement: Requirement): string {
  const { key } = requirement;
  switch (requirement.operator) {
    case 'In':
      return requirement.values.length === 1
        ? `${key}=${requirement.values[0]}`
        : `${key} in (${requirement.values.join(',')})`;
    case 'NotIn':
      return requirement.values.length === 1
        ? `${key}!=${requirement.values[0]}`
        : `${key} notin (${requirement.values.join(',')})`;
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
  }
}
