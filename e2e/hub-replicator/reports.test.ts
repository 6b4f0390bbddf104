/** Each public report that concerns the hub replicator has a test that bears its id, over the app as it is in production. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { reports } from '../sim/reports.ts';

/** Statuses; names; endings; planes; writers. */
const ours = [
  ...['C01', 'C03', 'C04', 'C07', 'C09'],
  ...['C11', 'C13', 'C15'],
  ...['C19', 'C21', 'C23', 'C25', 'C26'],
  ...['C27', 'C28', 'C30', 'C34'],
  ...['C24', 'C45'],
];

it.each(ours)('%s has its test', (id) => {
  const files = globSync('reports-*.test.ts', { cwd: import.meta.dirname });
  const texts = files.map((file) => readFileSync(`${import.meta.dirname}/${file}`, 'utf8'));
  expect(texts.filter((text) => text.includes(`'${id}: `))).not.toEqual([]);
  expect(Object.keys(reports)).toContain(id);
});
