/** Each public report names the faults and oracles that cover it, and each test that is named after one has its row. */
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { reports } from './reports.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const told = globSync('{e2e,apps,packages}/**/c[0-9][0-9]-*.test.ts', { cwd: root, exclude: ['**/node_modules/**'] });

it('every report that a test is named after has its row', () => {
  expect(told.length).toBeGreaterThan(15);
  const ids = told.map((file) => basename(file).slice(0, 3).toUpperCase());
  expect(ids.filter((id) => !Object.hasOwn(reports, id))).toEqual([]);
});

it('rows stand in the order of their ids, and are of C01 to C67', () => {
  const ids = Object.keys(reports);
  expect(ids).toEqual(ids.toSorted());
  expect(ids.filter((id) => !/^C(0[1-9]|[1-5]\d|6[0-7])$/.test(id))).toEqual([]);
});
