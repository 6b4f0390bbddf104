import { seeded, VirtualClock } from '@lifeline/core/testing';
import { conformanceCases, Session } from './index.ts';
import { createPlane, credentials } from './plane.fixture.ts';
const clock = new VirtualClock();
const server = createPlane(clock);
const session = new Session({
  transport: server.transport,
  baseUrl: 'https://plane.test',
  credentials,
  clock,
  random: seeded('conformance'),
  can: { controllers: true, compact: async () => server.compact() },
});
const only = new RegExp(process.argv[2] ?? '');
let passed = 0;
for (const c of conformanceCases) {
  if (!only.test(c.name)) continue;
  try {
    const r = await clock.run(session.run(c));
    if (r.outcome === 'failed')
      console.log('FAILED', c.name, '\n   ' + r.failures.map((f) => f.slice(0, 600)).join('\n   '));
    else passed++;
  } catch (e) {
    console.log('THROWN', c.name, e);
  }
}
console.log(passed, 'passed');
