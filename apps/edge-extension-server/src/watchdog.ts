/** Ends the process when its event loop stands still: nothing inside the loop could. */
import { Worker } from 'node:worker_threads';
import { type Clock, type DurationMs, hookDefaults } from '@lifeline/core';

export interface WatchdogOptions {
  readonly clock: Clock;
  /** Default 15 s. */
  readonly limitMs?: DurationMs | undefined;
}

/** So many looks that all find the loop where it was end the process. */
const looks = 15;

/**
 * Starts a thread that ends the process, with a line on standard error and SIGKILL, when the event loop has not run for the limit; until
 * disposed. It counts its own looks, so that a machine that was suspended, or gave us no time, is not taken for a loop that stands still.
 */
export function startWatchdog({ clock, limitMs = hookDefaults.watchdogMs }: WatchdogOptions): Disposable {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const everyMs = limitMs / looks;
  let timer = clock.timer(0, beat);
  function beat(): void {
    Atomics.add(beats, 0, 1);
    timer = clock.timer(everyMs / 2, beat);
  }
  const thread = new Worker(source, { eval: true, workerData: { beats, everyMs, looks, limitMs } });
  thread.unref();
  return {
    [Symbol.dispose]: () => {
      timer[Symbol.dispose]();
      void thread.terminate();
    },
  };
}

/** As text, so that the app stays one file. Nobody wakes the thread: its waits are its clock. */
const source = `
const { workerData } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const { beats, everyMs, looks, limitMs } = workerData;
const nobody = new Int32Array(new SharedArrayBuffer(4));
let last = -1;
for (let still = 0; still < looks; ) {
  Atomics.wait(nobody, 0, 0, everyMs);
  const now = Atomics.load(beats, 0);
  still = now === last ? still + 1 : 0;
  last = now;
}
writeSync(2, JSON.stringify({ level: 'error', msg: 'the event loop stands still: ending the process', limitMs }) + '\\n');
process.kill(process.pid, 'SIGKILL');
`;
