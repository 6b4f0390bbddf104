import { describe, expect, it } from 'vitest';
import { isDnsLabel, isDnsSubdomain, isLabelValue, isQualifiedName } from './syntax.ts';

const row = (check: (text: string) => boolean, text: string, want: boolean) => ({
  rule: check.name,
  shown: text.length > 30 ? `${text.slice(0, 10)}… (${text.length})` : JSON.stringify(text),
  check,
  text,
  want,
});

describe('names, labels and keys', () => {
  it.each([
    row(isLabelValue, '', true),
    row(isLabelValue, 'a', true),
    row(isLabelValue, 'A_b.c-9', true),
    row(isLabelValue, 'x'.repeat(63), true),
    row(isLabelValue, 'x'.repeat(64), false),
    row(isLabelValue, '-a', false),
    row(isLabelValue, 'a-', false),
    row(isLabelValue, 'a.', false),
    row(isLabelValue, '_', false),
    row(isLabelValue, 'a/b', false),
    row(isLabelValue, 'é', false),
    row(isLabelValue, 'a\n', false),
    row(isQualifiedName, 'app', true),
    row(isQualifiedName, 'meta.datumapis.com/upstream-name', true),
    row(isQualifiedName, 'meta.datumapis.com/', false),
    row(isQualifiedName, '/name', false),
    row(isQualifiedName, '', false),
    row(isQualifiedName, 'a/b/c', false),
    row(isQualifiedName, 'Upper.com/name', false),
    row(isQualifiedName, `a/${'x'.repeat(64)}`, false),
    row(isDnsLabel, 'ns-1', true),
    row(isDnsLabel, 'NS', false),
    row(isDnsLabel, 'a.b', false),
    row(isDnsLabel, 'x'.repeat(64), false),
    row(isDnsSubdomain, 'a.b-c.d', true),
    row(isDnsSubdomain, 'a..b', false),
    row(isDnsSubdomain, 'a.-b', false),
    row(isDnsSubdomain, `${'x'.repeat(100)}.y`, true),
    row(isDnsSubdomain, 'x'.repeat(253), true),
    row(isDnsSubdomain, 'x'.repeat(254), false),
  ])('$rule $shown → $want', ({ check, text, want }) => {
    expect(check(text)).toBe(want);
  });
});
