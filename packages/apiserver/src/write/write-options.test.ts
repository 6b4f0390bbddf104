import { describe, expect, it } from 'vitest';
import { ApiError } from '../api-error.ts';
import { managerOf, readWriteOptions } from './write-options.ts';

const read = (query: string, applies = false) => readWriteOptions(new URLSearchParams(query), 'PatchOptions', applies);

describe('readWriteOptions', () => {
  it.each<[string, boolean, object]>([
    ['', false, { dryRun: false, fieldManager: undefined, fieldValidation: 'Warn', force: false }],
    [
      'dryRun=All&fieldManager=m&fieldValidation=Strict',
      false,
      { dryRun: true, fieldManager: 'm', fieldValidation: 'Strict' },
    ],
    ['fieldManager=m&force=', true, { force: true }],
    ['fieldManager=m&force=yes', true, { force: true }],
    ['fieldManager=m&force=false', true, { force: false }],
    ['fieldManager=é', false, { fieldManager: 'é' }],
  ])('%s', (query, applies, want) => {
    expect(read(query, applies)).toMatchObject(want);
  });

  it.each<[string, boolean, string]>([
    ['dryRun=x', false, 'dryRun: Unsupported value: ["x"]: supported values: "All"'],
    ['dryRun=', false, 'dryRun: Unsupported value: [""]: supported values: "All"'],
    [
      'fieldValidation=strict',
      false,
      'fieldValidation: Unsupported value: "strict": supported values: "", "Ignore", "Strict", "Warn"',
    ],
    ['force=true', false, 'force: Forbidden: may not be specified for non-apply patch'],
    ['', true, 'fieldManager: Required value: is required for apply patch'],
    [`fieldManager=${'x'.repeat(129)}`, false, 'fieldManager: Too long: may not be more than 128 bytes'],
    [
      'fieldManager=a%00b',
      false,
      String.raw`fieldManager: Invalid value: "a\x00b": invalid character U+0000 (at position 1)`,
    ],
    [
      'fieldManager=é%00',
      false,
      String.raw`fieldManager: Invalid value: "é\x00": invalid character U+0000 (at position 2)`,
    ],
  ])('?%s is refused', (query, applies, flaw) => {
    const act = () => read(query, applies);
    expect(act).toThrow(ApiError);
    expect(act).toThrow(`422: PatchOptions.meta.k8s.io "" is invalid: ${flaw}`);
  });
});

describe('managerOf', () => {
  it.each([
    ['kubectl/v1.35.2 (linux/amd64)', 'kubectl'],
    ['/x', ''],
    [undefined, ''],
    ['a\u0000b\tc/1', 'abc'],
    ['é'.repeat(100), 'é'.repeat(64)],
  ])('%j: %j', (agent, want) => {
    expect(managerOf(agent)).toBe(want);
  });
});
