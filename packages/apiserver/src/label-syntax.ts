/** What is wrong with a label's key or value, in the words of a real server. */
import { labelValueLimit, utf8Bytes } from '@lifeline/core';
import { prefixProblems } from './dns-syntax.ts';

const namePattern = String.raw`([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]`;
const valuePattern = `(${namePattern})?`;

const alphabet = `consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character`;
const badName = `must ${alphabet} (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${namePattern}')`;
const badValue = `a valid label must be an empty string or ${alphabet} (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '${valuePattern}')`;
const empty = 'must be non-empty';
const tooLong = `must be no more than ${labelValueLimit} bytes`;

const isName = new RegExp(`^${namePattern}$`);
const isValue = new RegExp(`^${valuePattern}$`);

/** None: it is a valid key of a label, an annotation or a selector. */
export function labelKeyProblems(key: string): readonly string[] {
  const parts = key.split('/');
  const name = parts.pop() as string;
  if (parts.length > 1) {
    return [`a valid label key ${badName} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const problems: string[] = [];
  const [prefix] = parts;
  if (prefix === '') problems.push(`prefix part ${empty}`);
  else if (prefix !== undefined) problems.push(...prefixProblems(prefix).map((problem) => `prefix part ${problem}`));
  if (name === '') problems.push(`name part ${empty}`);
  else if (utf8Bytes(name) > labelValueLimit) problems.push(`name part ${tooLong}`);
  if (!isName.test(name)) problems.push(`name part ${badName}`);
  return problems;
}

/** None: it is a valid value of a label. */
export const labelValueProblems = (value: string): readonly string[] => [
  ...(utf8Bytes(value) > labelValueLimit ? [tooLong] : []),
  ...(isValue.test(value) ? [] : [badValue]),
];
