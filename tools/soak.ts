import { later, systemClock } from '@lifeline/core';
import { called, positive } from './command.ts';
import { simulate } from './simulation.ts';
import { summaryLine } from './summary.ts';

const usage = `npm run soak [-- --minutes N] [--seeds N] [--first N] [PATH…]

Runs the simulated tests (*.sim.test.ts) round after round, each with fresh seeds, until the time is up (30 minutes) or a round fails.
A round is 200 seeds of each test and is finished once it has begun. The first seed is the second of the epoch at which the soak began,
so no two soaks repeat each other. With paths: only the files whose path contains one.`;

const call = called(usage, {
  minutes: { type: 'string', default: '30' },
  seeds: { type: 'string', default: '200' },
  first: { type: 'string', default: String(Math.floor(systemClock.now() / 1000)) },
});
const seeds = positive(call, 'seeds');
const end = later(systemClock.monotonic(), positive(call, 'minutes') * 60_000);
let first = positive(call, 'first');
let passed = 0;
let failed = 0;
let rounds = 0;
do {
  const { files, summary } = await simulate({ seeds, first, filters: call.words });
  if (files.length === 0) {
    console.log('No *.sim.test.ts is here: nothing was soaked.');
    break;
  }
  rounds++;
  passed += summary.passed;
  failed += summary.failed;
  if (summary.failed > 0)
    console.log(`Again: npm run sim -- --seeds ${seeds} --first ${first} ${call.words.join(' ')}`);
  first += seeds;
} while (failed === 0 && systemClock.monotonic() < end);
console.log(`${rounds} rounds of ${seeds} seeds.`);
console.log(summaryLine({ passed, failed, skipped: 0 }));
process.exitCode = rounds > 0 && failed === 0 ? 0 : 1;
