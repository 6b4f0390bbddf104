import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { observations } from './observed.fixture.ts';

/** What was recorded and is no test. */
const exceptions: Readonly<Record<string, string>> = {
  thousand: 'measures how much a machine with two cores carries; virtual time has no cores',
};

/** Rules that may not be without a case. */
const needed = ['6', '7', '9', '11', '15', '17', '21', '22', '25'];

const folder = new URL('../', import.meta.url);
const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && !file.endsWith('coverage.test.ts'))
  .map((file) => readFileSync(new URL(file, folder), 'utf8'));

/** Names of tests begin with the ids that they are about: `'id: …'`, `'id, …'`, `id: 'id'`. */
const isTested = (id: string): boolean => {
  const name = new RegExp(String.raw`it(\.each\([^]*?\))?\(\s*['\`](?:[a-z0-9-]+, )*${id}[:,'\`]|\bid: '${id}'`);
  return texts.some((text) => name.test(text));
};

describe('the recording', () => {
  it('has 63 cases with different ids', () => {
    expect(new Set(observations.map(({ id }) => id)).size).toBe(63);
  });

  it.each(observations.map(({ id }) => id))('%s is a test, or says why not', (id) => {
    expect(isTested(id)).toBe(!Object.hasOwn(exceptions, id));
  });

  it('no exception is for a case that there is not', () => {
    expect(Object.keys(exceptions).filter((id) => !observations.some((observation) => observation.id === id))).toEqual(
      [],
    );
  });

  it.each(needed)('rule %s has its case', (rule) => {
    const cases = observations.filter((observation) => rulesOf(observation.rule).has(rule));
    expect(cases.some(({ id }) => isTested(id))).toBe(true);
  });

  it('would notice a case that is no test', () => {
    expect(isTested('no-such-case')).toBe(false);
  });
});

/** `1.3, 9: …`, `20–22`, `2,7: …` → the plain numbers. */
function rulesOf(text: string): ReadonlySet<string> {
  const head = text
    .replace(/:.*/, '')
    .replaceAll(/(\d+)[–-](\d+)/g, (_, from: string, to: string) =>
      Array.from({ length: Number(to) - Number(from) + 1 }, (_item, index) => String(Number(from) + index)).join(','),
    );
  return new Set(head.match(/(?<![\d.])\d+(?![\d.])/g));
}
