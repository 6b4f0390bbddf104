import { called, positive } from './command.ts';
import { simulate } from './simulation.ts';
import { summaryLine } from './summary.ts';

const usage = `npm run sim [-- --seeds N] [--first N] [--steps ID,ID…] [PATH…]

Runs the simulated tests (*.sim.test.ts) with more seeds than the default suite gives them: each with its full tier, from seed 1, unless told
otherwise. With paths: only the files whose path contains one. --steps takes those steps of the schedules alone, as a failure names them.`;

const call = called(usage, {
  seeds: { type: 'string' },
  first: { type: 'string', default: '1' },
  steps: { type: 'string' },
});
const { files, summary } = await simulate({
  seeds: call.values['seeds'] === undefined ? 'full' : positive(call, 'seeds'),
  first: positive(call, 'first'),
  steps: call.values['steps'] as string | undefined,
  filters: call.words,
});
if (files.length === 0) console.log(`No *.sim.test.ts is here: nothing was simulated.\n${summaryLine(summary)}`);
process.exitCode = files.length > 0 && summary.failed === 0 ? 0 : 1;
