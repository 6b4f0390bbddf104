/** A process with a watchdog: says that it runs, and then stands still or goes on for a while. */
import { systemClock } from '@lifeline/core';
import { startWatchdog } from './watchdog.ts';

const [what] = process.argv.slice(2);
using _watchdog = startWatchdog({ clock: systemClock, limitMs: 500 });
await systemClock.sleep(50);
process.stdout.write('runs\n');
if (what === 'still') for (;;);
// Busy, with a breath now and then, for longer than the limit.
for (let turn = 0; turn < 32; turn++) {
  for (const until = systemClock.monotonic() + 20; systemClock.monotonic() < until;);
  await systemClock.sleep(1);
}
process.stdout.write('done\n');
