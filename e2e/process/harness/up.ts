/**
 * Brings the platform up, and holds it until SIGTERM, Ctrl-C, or the end of its standard input: `npm run e2e:process`, which gives it the programs.
 * `FOLDER/ready` is there while everything can be used; with `--keep` it says `kept`: others may use it too.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { describeError, systemClock, untilAborted } from '@lifeline/core';
import { serveActs } from './control.ts';
import { file, folder } from './names.ts';
import { Platform } from './platform.ts';
import { endLeftovers } from './process-table.ts';

const stop = new AbortController();
for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => stop.abort());
// Whoever started this is gone.
process.stdin.on('end', () => stop.abort()).resume();

await endLeftovers(folder);
await rm(folder, { recursive: true, force: true });
await mkdir(file('logs'), { recursive: true });

const begun = systemClock.monotonic();
await using platform = new Platform((what) =>
  console.log(`${((systemClock.monotonic() - begun) / 1000).toFixed(1).padStart(6)} s  ${what}`),
);
try {
  await Promise.race([platform.start(), untilAborted(stop.signal)]);
  serveActs(platform.acts, stop.signal);
  await writeFile(file('ready'), process.argv.includes('--keep') ? 'kept' : '');
  console.log(`ready: logs in ${file('logs')}`);
  await untilAborted(stop.signal).catch(() => undefined);
} catch (error) {
  if (!stop.signal.aborted) {
    console.error(describeError(error));
    process.exitCode = 1;
  }
}
await rm(file('ready'), { force: true });
// Its other end stays open for as long as we run.
process.stdin.destroy();
