import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@lifeline/core';
import { called } from './command.ts';
import { boundaryFaults, type ProjectGraph } from './lint/layers.ts';
import { run, type RunResult } from './process.ts';
import { root } from './root.ts';
import { summaryLine } from './summary.ts';

const usage = `npm run check

Checks types, lint, format and boundaries of everything, tests and tools too.`;

export interface Step {
  readonly name: string;
  run(): Promise<RunResult>;
}

/**
 * Text by which a tool admits that it did not do what it was asked to. A bare eslint run prints "No cached ProjectGraph is available. The
 * rule will be skipped." and exits with 0; nx makes the graph first. A step that prints such a thing has failed, whatever its exit code.
 */
const skipped = /will be skipped|No cached ProjectGraph/;

const noColour = { FORCE_COLOR: '0' };

/** No daemon, no cloud, no terminal UI. */
const nx = (args: readonly string[], show = true): Promise<RunResult> =>
  run('nx', args, { env: { ...noColour, NX_DAEMON: 'false', NX_NO_CLOUD: 'true', NX_TUI: 'false' }, show });

const steps: readonly Step[] = [
  { name: 'types', run: () => run('tsc', ['--build']) },
  // Static output: by default nx hides what a task that succeeded has printed.
  { name: 'lint', run: () => nx(['run-many', '--targets=lint', '--parallel=2', '--output-style=static']) },
  {
    name: 'format',
    run: () => run('prettier', ['--check', '--log-level=warn', '--cache', '--cache-location=.cache/prettier', '.']),
  },
  { name: 'boundaries', run: boundaries },
];

async function boundaries(): Promise<RunResult> {
  const file = join(root, '.cache/project-graph.json');
  mkdirSync(join(root, '.cache'), { recursive: true });
  const { code, output } = await nx(['graph', `--file=${file}`], false);
  if (code !== 0) {
    console.log(output);
    return { code, output };
  }
  const { graph } = JSON.parse(readFileSync(file, 'utf8')) as { graph: ProjectGraph };
  const faults = boundaryFaults(graph).join('\n');
  if (faults) console.log(faults);
  return { code: faults ? 1 : 0, output: faults };
}

/** Runs every step, shows what each says and how it ended, and gives the number that failed. */
export async function check(list: readonly Step[]): Promise<number> {
  let failed = 0;
  for (const step of list) {
    const from = systemClock.monotonic();
    const { code, output } = await step.run();
    const admission = skipped.exec(output)?.[0];
    const good = code === 0 && admission === undefined;
    if (!good) failed++;
    const why = admission ? `, it printed "${admission}"` : good ? '' : `, exit code ${code}`;
    console.log(
      `${good ? 'ok    ' : 'FAILED'} ${step.name} (${((systemClock.monotonic() - from) / 1000).toFixed(1)} s${why})`,
    );
  }
  console.log(summaryLine({ passed: list.length - failed, failed, skipped: 0 }));
  return failed;
}

if (import.meta.main) {
  called(usage);
  process.exitCode = (await check(steps)) > 0 ? 1 : 0;
}
