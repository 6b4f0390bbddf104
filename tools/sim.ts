import { called, positive } from './command.ts';
import { simulate } from './simulation.ts';
import { summaryLine } from './summary.ts';

const usage = `npm run sim [-- --seeds N] [--first N] [PATH…]

Runs the simulated tests (*.sim.test.ts) with more seeds than the default suite gives them: 1000 each from seed 1, unless told otherwise.
With paths: only the files whose path contains one.`;

const call = called(usage, { seeds: { type: 'string', default: '1000' }, first: { type: 'string', default: '1' } });
const { files, summary } = await simulate({
  seeds: positive(call, 'seeds'),
  first: positive(call, 'first'),
  filters: call.words,
});
if (files.length === 0) console.log(`No *.sim.test.ts is here: nothing was simulated.\n${summaryLine(summary)}`);
process.exitCode = files.length > 0 && summary.failed === 0 ? 0 : 1;
