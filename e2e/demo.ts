/**
 * `npm run demo`: shows what exists, on planes in this process, and exits by itself. It grows with the platform, and says what is not
 * there yet.
 */
import { parseArgs } from 'node:util';
import { systemClock } from '@lifeline/core';
import { runDemo } from './demo/demo.ts';
import { coloured, duration, plain } from './demo/page.ts';

const usage = `npm run demo [-- --seed WORD]

Shows what exists. Another seed gives other latencies and another leader, and the same facts.`;

function seedOf(): string {
  const options = { seed: { type: 'string', default: 'demo' }, help: { type: 'boolean', short: 'h' } } as const;
  try {
    const { values } = parseArgs({ options });
    if (!values.help) return values.seed;
    console.log(usage);
    return process.exit(0);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    return process.exit(2);
  }
}

const seed = seedOf();
const style = process.stdout.isTTY && !process.env['NO_COLOR'] ? coloured : plain;
const started = systemClock.monotonic();
await runDemo({ seed, style, print: (line) => console.log(line) });
console.log(`\nAll of it took ${duration(systemClock.monotonic() - started)} of real time.`);
