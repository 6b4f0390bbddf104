/** What becomes of fields that are unknown or stand twice: `fieldValidation`. */

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** The error of all flaws together. */
export const strictDecodingError = (flaws: readonly string[]): string => `strict decoding error: ${flaws.join(', ')}`;

const yamlHeads = ['yaml: unmarshal errors:\n', 'error converting YAML to JSON: yaml: unmarshal errors:\n'];

/** The warnings of a flaw: one per line of what YAML says. */
export function warningsOf(flaw: string): readonly string[] {
  const head = yamlHeads.find((text) => flaw.startsWith(text));
  return head === undefined
    ? [flaw]
    : flaw
        .slice(head.length)
        .split('\n')
        .map((line) => line.trim());
}
