/** The `labelSelector` of a query. @see kubernetes/apimachinery@v0.36.3 pkg/labels/selector.go */
import { badRequest } from '../api-error.ts';
import { goAggregate, goQuote } from '../go-text.ts';
import { labelKeyProblems, labelValueProblems } from '../label-syntax.ts';

export type Labels = Readonly<Record<string, string>> | null | undefined;

type Operator = 'exists' | '!' | 'in' | 'notin' | 'gt' | 'lt';

interface LabelRequirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

/** All must hold. */
export type LabelSelector = readonly LabelRequirement[];

/** @throws ApiError 400 in the words of a real server */
export const parseLabelSelector = (text: string): LabelSelector => new Parser(tokensOf(text)).selector();

export function matchesLabels(selector: LabelSelector, labels: Labels): boolean {
  return selector.every(({ key, operator, values }) => {
    const value = labels && Object.hasOwn(labels, key) ? labels[key] : undefined;
    switch (operator) {
      case 'exists':
        return value !== undefined;
      case '!':
        return value === undefined;
      case 'in':
        return value !== undefined && values.includes(value);
      case 'notin':
        return value === undefined || !values.includes(value);
      case 'gt':
        return isInteger(value) && BigInt(value) > BigInt(values[0] as string);
      case 'lt':
        return isInteger(value) && BigInt(value) < BigInt(values[0] as string);
    }
  });
}

const isInteger = (text: string | undefined): text is string => text !== undefined && /^[+-]?\d+$/.test(text);

/** The text of an operator as a query has it, and what it means. */
const operators: ReadonlyMap<string, Operator> = new Map([
  ['in', 'in'],
  ['notin', 'notin'],
  ['=', 'in'],
  ['==', 'in'],
  ['!=', 'notin'],
  ['>', 'gt'],
  ['<', 'lt'],
]);

/** `''` ends the list. */
const tokensOf = (text: string): readonly string[] => [...(text.match(/[=!]?=|[!(),<>]|[^\s=!(),<>]+/g) ?? []), ''];

const isSymbol = (token: string): boolean => /^[=!(),<>]/.test(token);
const isIdentifier = (token: string): boolean => token !== '' && !isSymbol(token);

class Parser {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  selector(): LabelSelector {
    const requirements: LabelRequirement[] = [];
    if (this.#peek() === '') return requirements;
    this.#expectKey(this.#peek(), `!, identifier, or 'end of string'`);
    for (;;) {
      requirements.push(this.#requirement());
      const next = this.#take();
      if (next === '') return requirements;
      if (next !== ',') throw unexpected(next, `',' or 'end of string'`);
      this.#expectKey(this.#peek(), `identifier after ','`);
    }
  }

  #expectKey(token: string, expected: string): void {
    if (token !== '!' && !isIdentifier(token)) throw unexpected(token, expected);
  }

  #requirement(): LabelRequirement {
    const absent = this.#peek() === '!';
    if (absent) this.#take();
    const key = this.#take();
    if (!isIdentifier(key)) throw unparsable(found(key, 'identifier'));
    const problems = labelKeyProblems(key);
    if (problems.length > 0) throw unparsable(`<nil>: Invalid value: ${goQuote(key)}: ${problems.join('; ')}`);
    if (absent) return { key, operator: '!', values: [] };
    if (this.#peek() === '' || this.#peek() === ',') return { key, operator: 'exists', values: [] };
    const token = this.#take();
    const operator = operators.get(token);
    if (operator === undefined) throw unparsable(found(token, 'in, notin, =, ==, !=, gt, lt'));
    const values = token === 'in' || token === 'notin' ? this.#values() : [this.#value()];
    return checked({ key, operator, values: [...new Set(values)].sort() });
  }

  /** None is the empty one. */
  #value(): string {
    if (this.#peek() === '' || this.#peek() === ',') return '';
    const value = this.#take();
    if (!isIdentifier(value)) throw unparsable(found(value, 'identifier'));
    return value;
  }

  /** `(a,b)`: also `()`, `(a,)` and `(,)`, where what is missing is the empty value. */
  #values(): readonly string[] {
    const open = this.#take();
    if (open !== '(') throw unparsable(`found '${open}' expected: '('`);
    const first = this.#peek();
    if (first !== ')' && first !== ',' && !isIdentifier(first))
      throw unparsable(found(first, `',', ')' or identifier`));
    const values: string[] = [];
    for (;;) {
      const token = this.#peek();
      if (isIdentifier(token)) values.push(this.#take());
      else if (token === ',' || token === ')') values.push('');
      else throw unparsable(found(token, `',', or identifier`));
      const next = this.#take();
      if (next === ')') return values;
      if (next !== ',') throw unparsable(found(next, `',' or ')'`));
    }
  }

  #peek(): string {
    return this.#tokens[this.#at] as string;
  }

  #take(): string {
    const token = this.#peek();
    if (token !== '') this.#at++;
    return token;
  }
}

function checked(requirement: LabelRequirement): LabelRequirement {
  const { key, operator, values } = requirement;
  const problems = [
    ...(operator === 'gt' || operator === 'lt' ? values.map(notInteger) : []),
    ...values.map((value, at) => {
      const found = labelValueProblems(value);
      return found.length > 0 ? `values[${at}][${key}]: Invalid value: ${goQuote(value)}: ${found.join('; ')}` : '';
    }),
  ].filter((problem) => problem !== '');
  if (problems.length === 0) return requirement;
  throw unparsable(goAggregate(problems));
}

const notInteger = (value: string, at: number): string =>
  isInteger(value)
    ? ''
    : `values[${at}]: Invalid value: ${goQuote(value)}: for 'Gt', 'Lt' operators, the value must be an integer`;

const found = (token: string, expected: string): string => `found '${token}', expected: ${expected}`;
const unexpected = (token: string, expected: string): Error => badRequest(found(token, expected));
const unparsable = (why: string): Error => badRequest(`unable to parse requirement: ${why}`);
