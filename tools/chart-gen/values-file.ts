/** The `values.yaml` of a chart, out of its schema: each value with what it is for, and its default. */
import { stringify } from 'yaml';
import type { JsonSchema } from './values-schema.ts';

const width = 118;
/** Helm's own. */
const untold = new Set(['global']);

/**
 * Guarantees: what has no default stands there as a comment, so that the file holds exactly the defaults.
 */
export function valuesText(schema: JsonSchema): string {
  return `${blocks(schema, '').join('\n\n')}\n`;
}

/** The values of a group, a block of lines each. */
function blocks({ properties = {} }: JsonSchema, indent: string): string[] {
  return Object.entries(properties)
    .filter(([key]) => !untold.has(key))
    .map(([key, value]) => [...comment(value, indent), ...entry(key, value, indent)].join('\n'));
}

function entry(key: string, value: JsonSchema, indent: string): string[] {
  if (value.properties) {
    const inner = blocks(value, `${indent}  `);
    // Nothing but comments would be null, and null takes a group away.
    const isBare = inner.every((block) => block.split('\n').every((line) => line.trimStart().startsWith('#')));
    return [`${indent}${key}:${isBare ? ' {}' : ''}`, ...inner];
  }
  if (value.default === undefined) return [`${indent}# ${key}: (${value.type ?? 'any'})`];
  const text = stringify({ [key]: value.default }, { version: '1.1', lineWidth: 0, singleQuote: true });
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `${indent}${line}`);
}

function comment({ description = '', enum: choice }: JsonSchema, indent: string): string[] {
  const text = choice ? `${description} (${choice.filter((one) => one !== '').join(', ')})` : description;
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').filter(Boolean)) {
    if (line !== '' && indent.length + 2 + line.length + 1 + word.length > width) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? word : ` ${word}`;
  }
  return [...lines, line].filter((text) => text !== '').map((text) => `${indent}# ${text}`);
}
