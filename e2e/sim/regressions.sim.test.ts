/** Schedules that once failed, written down as they were: each found a bug, and passes now. */
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { checkSchedule, type Schedule } from '@lifeline/sim';
import { expect, it } from 'vitest';
import { scenarioOf } from './scenarios.ts';

interface Regression {
  readonly file: string;
  readonly what: string;
  readonly scenario: string;
  readonly schedule: Schedule;
}

const folder = fileURLToPath(new URL('regressions', import.meta.url));
const files = (await Array.fromAsync(glob('*.json', { cwd: folder }))).sort();
const regressions = files.map((file): Regression => {
  return { file, ...(JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as Omit<Regression, 'file'>) };
});

it.each(regressions)('$file: $what', async ({ file, scenario, schedule }) => {
  const { virtualMs } = await checkSchedule(scenarioOf(scenario), schedule, {
    again: `npx vitest run e2e/sim/regressions -t ${file}`,
  });
  expect(virtualMs).toBeGreaterThan(0);
});
