/**
 * The hub replicator as it is shipped, with its planes in another process, over TLS: how many flips a second it carries beside what its
 * client can apply, and what both cost in CPU of the app's process.
 *
 * `APART_PLANES` and `APART_CONNECTORS` make it larger or smaller.
 */
import { systemClock } from '@lifeline/core';
import { raw, startApp } from './app.ts';
import { fixed, heldBytes, rateRow, type Span, span, table } from './figures.ts';
import { PlanesApart } from './planes-apart.ts';

const planes = Number(process.env['APART_PLANES'] ?? 50);
const connectors = Number(process.env['APART_CONNECTORS'] ?? 2_000);
const rounds = 3;
/** Of each round: what goes on for long is what is asked for, so the first turns of a process that has just begun do not count. */
const [warmUps, turns] = [2, 4];

using apart = await PlanesApart.start({ planes, connectors });
await apart.ask({ to: 'fill' });
const client = apart.hubClient();

const applied: Span[] = [];
const carried: Span[] = [];
for (let round = 0; round < rounds; round++) {
  const first = round * (warmUps + turns + 1) + 1;
  const running = startApp(apart.reach());
  await apart.ask({ to: 'bring online' });
  await running.looked(connectors);
  await systemClock.sleep(3_000);
  const last = first + warmUps + turns - 1;
  const flips: Span[] = [];
  for (let turn = first; turn <= last; turn++) {
    await apart.ask({ to: 'hold', turn });
    await heldBytes();
    const end = span();
    await apart.ask({ to: 'let go', turn });
    flips.push(end());
  }
  await running.stop();
  const applies: Span[] = [];
  // The last of them puts back what the planes say.
  while (applies.length < warmUps + turns) applies.push(await raw(client, last + (applies.length % 2 === 0 ? 1 : 0)));
  carried.push(...flips.slice(warmUps));
  applied.push(...applies.slice(warmUps));
  console.error(`round ${round}: ${JSON.stringify({ flips, applies })}`);
}

const each = connectors;
console.log(`### ${fixed(planes)} planes in another process, ${fixed(connectors)} connectors

${table([
  ['planes in another process', 'a second', 'CPU of this process each'],
  rateRow('the client applies the copies', { spans: applied, base: applied, each }),
  rateRow('flips carried', { spans: carried, base: applied, each }),
])}
`);
process.exit(0);
