/** The tables of the simulator's README are its catalogues. */
import { readFileSync } from 'node:fs';
import { faultCatalogue, oracleCatalogue } from '@lifeline/sim';
import { expect, it } from 'vitest';
import { tableRows } from '../documents.ts';

const rows = tableRows(readFileSync(new URL('../../packages/sim/README.md', import.meta.url), 'utf8'));
const judged = { write: 'each write', converged: 'the end', run: 'several runs' };

it('faults', () => {
  const want = faultCatalogue.map(({ id, name, point, reveals }) => [id, name, point, reveals]);
  expect(rows.filter(([id]) => /^F\d/.test(id ?? ''))).toEqual(want);
});

it('oracles', () => {
  const want = oracleCatalogue.map(({ id, name, judged: when, statement }) => [id, name, judged[when], statement]);
  expect(rows.filter(([id]) => /^[SLM]\d/.test(id ?? ''))).toEqual(want);
});
