import { describe, expect, it } from 'vitest';
import { strictDecodingError, warningsOf } from './strict-decoding.ts';
import { Warnings } from './warnings.ts';

function headerOf(...texts: readonly string[]): string | undefined {
  const warnings = new Warnings();
  for (const text of texts) warnings.add(text);
  return warnings.headers?.['warning'];
}

describe('Warnings', () => {
  it('are one header, each text once', () => {
    expect(headerOf()).toBeUndefined();
    expect(headerOf('unknown field "a"', 'b\\c', 'unknown field "a"')).toBe(
      String.raw`299 - "unknown field \"a\"", 299 - "b\\c"`,
    );
  });

  it('are what a header can hold', () => {
    expect(headerOf('a\nb', '')).toBeUndefined();
    expect(headerOf('é')).toBe('299 - "Ã©"');
  });

  it('are cut when they are too long together', () => {
    const texts = Array.from({ length: 30 }, (_, index) => `${index} `.padEnd(400, 'x'));
    const header = headerOf(...texts) as string;
    expect(header.split(', ')).toHaveLength(16);
    expect(header.split(', ')[0]).toBe(`299 - "${(texts[0] as string).slice(0, 256)}"`);
    expect(headerOf('x'.repeat(4096))).toHaveLength(4096 + '299 - ""'.length);
  });
});

describe('strict decoding', () => {
  it('tells all flaws in one error, and each line of YAML in a warning', () => {
    const yaml = 'yaml: unmarshal errors:\n  line 3: key "a" already set in map\n  line 4: key "b" already set in map';
    expect(strictDecodingError([yaml, 'unknown field "c"'])).toBe(`strict decoding error: ${yaml}, unknown field "c"`);
    expect(warningsOf(yaml)).toEqual(['line 3: key "a" already set in map', 'line 4: key "b" already set in map']);
    expect(warningsOf('unknown field "c"')).toEqual(['unknown field "c"']);
  });
});
