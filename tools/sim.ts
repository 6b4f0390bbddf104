/**
 * `npm run sim [-- --seeds N] [--first N] [PATH…]`: the simulated tests (`*.sim.test.ts`) with more seeds than the default suite gives
 * them, 1,000 each from seed 1 unless told otherwise. With paths: only the files whose path contains one.
 */
import { parseArgs } from 'node:util';
import { positive, simulate } from './simulation.ts';
import { summaryLine } from './summary.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: 'string', default: '1000' }, first: { type: 'string', default: '1' } },
});
const { files, summary } = await simulate({
  seeds: positive('seeds', values.seeds),
  first: positive('first', values.first),
  filters: positionals,
});
if (files.length === 0) console.log('No *.sim.test.ts is here: nothing was simulated.');
if (files.length === 0) console.log(summaryLine(summary));
process.exitCode = files.length > 0 && summary.failed === 0 ? 0 : 1;
