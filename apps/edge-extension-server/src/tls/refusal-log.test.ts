import { VirtualClock } from '@lifeline/core/testing';
import { testEnv } from '@lifeline/k8s/testing';
import { expect, it } from 'vitest';
import { RefusalLog } from './refusal-log.ts';

it('says of each reason that connections were refused, at most every ten seconds, and how many', async () => {
  const clock = new VirtualClock();
  const { log, lines } = testEnv({ clock, signal: new AbortController().signal });
  const refusals = new RefusalLog({ clock, log });
  const said = (): unknown[] =>
    lines.splice(0).map((line) => {
      const { peer, reason, more } = JSON.parse(line) as Record<string, unknown>;
      return [peer, reason, more];
    });
  for (let i = 0; i < 5; i++) refusals.refused('10.0.0.1', 'no certificate');
  refusals.refused('10.0.0.2', 'wrong name');
  expect(said()).toEqual([
    ['10.0.0.1', 'no certificate', undefined],
    ['10.0.0.2', 'wrong name', undefined],
  ]);
  await clock.advance(10_000);
  refusals.refused('10.0.0.3', 'no certificate');
  refusals.refused('10.0.0.2', 'wrong name');
  expect(said()).toEqual([
    ['10.0.0.3', 'no certificate', 4],
    ['10.0.0.2', 'wrong name', undefined],
  ]);
});
