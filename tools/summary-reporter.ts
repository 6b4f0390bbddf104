import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestModule } from 'vitest/node';
import { type Summary, summaryLine } from './summary.ts';

/**
 * What really happened, counted.
 *
 * A test that did not end counts as failed, and so does each file that could not be loaded, each suite whose hooks failed and each error
 * that no test caught. Skipped and todo tests are neither passed nor failed.
 */
export function tally(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): Tally {
  let passed = 0;
  let skipped = 0;
  const failures = unhandledErrors.map((error) => failure('outside of any test', error));
  for (const module of modules) {
    const file = module.relativeModuleId;
    for (const container of [module, ...module.children.allSuites()]) {
      const [error] = container.errors();
      if (error) failures.push(failure('fullName' in container ? `${file} > ${container.fullName}` : file, error));
    }
    for (const test of module.children.allTests()) {
      const { state, errors } = test.result();
      if (state === 'passed') passed++;
      else if (state === 'skipped') skipped++;
      else failures.push(failure(`${file} > ${test.fullName}`, errors?.[0] ?? 'did not end'));
    }
  }
  return { passed, failed: failures.length, skipped, failures };
}

interface Tally extends Summary {
  /** A line each: `failed: WHERE: WHAT`. */
  readonly failures: readonly string[];
}

function failure(where: string, error: unknown): string {
  const { message = String(error) } = error as Partial<Error>;
  return `failed: ${where}: ${stripVTControlCharacters(message).split('\n')[0] ?? ''}`;
}

/**
 * Prints a line for each failure and the summary line when the process ends, behind everything else. A run in which no test passed or failed, and one that ended
 * before it was counted, exit with 1.
 */
export function summaryReporter(): Reporter {
  let tallied: Tally | undefined;
  return {
    onInit(vitest) {
      if (vitest.config.watch) return;
      process.once('exit', () => {
        const { passed, failed, skipped, failures } = tallied ?? { passed: 0, failed: 1, skipped: 0, failures: [] };
        for (const line of failures) process.stdout.write(`${line}\n`);
        if (!tallied) process.stdout.write('The run ended before it was counted.\n');
        else if (passed + failed === 0) process.stdout.write('No test ran.\n');
        if (passed === 0 || failed > 0) process.exitCode ||= 1;
        process.stdout.write(`${summaryLine({ passed, failed, skipped })}\n`);
      });
    },
    onTestRunEnd(modules, unhandledErrors) {
      tallied = tally(modules, unhandledErrors);
    },
  };
}
