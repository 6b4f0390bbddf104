import type { Reporter, TestModule } from 'vitest/node';
import { type Summary, summaryLine } from './summary.ts';

/**
 * What really happened, counted.
 *
 * A test that did not end counts as failed, and so does each file that could not be loaded, each suite whose hooks failed and each error
 * that no test caught. Skipped and todo tests are neither passed nor failed.
 */
export function tally(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): Summary {
  let passed = 0;
  let skipped = 0;
  let failed = unhandledErrors.length;
  for (const module of modules) {
    const containers = [module, ...module.children.allSuites()];
    failed += containers.filter((container) => container.errors().length > 0).length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') passed++;
      else if (state === 'skipped') skipped++;
      else failed++;
    }
  }
  return { passed, failed, skipped };
}

/**
 * Prints the summary line when the process ends, behind everything else. A run in which no test passed or failed, and one that ended
 * before it was counted, exit with 1.
 */
export function summaryReporter(): Reporter {
  let summary: Summary | undefined;
  return {
    onInit(vitest) {
      if (vitest.config.watch) return;
      process.once('exit', () => {
        const { passed, failed, skipped } = summary ?? { passed: 0, failed: 1, skipped: 0 };
        if (!summary) process.stdout.write('The run ended before it was counted.\n');
        else if (passed + failed === 0) process.stdout.write('No test ran.\n');
        if (passed === 0 || failed > 0) process.exitCode ||= 1;
        process.stdout.write(`${summaryLine({ passed, failed, skipped })}\n`);
      });
    },
    onTestRunEnd(modules, unhandledErrors) {
      summary = tally(modules, unhandledErrors);
    },
  };
}
