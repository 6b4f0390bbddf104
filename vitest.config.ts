import { defineConfig } from 'vitest/config';
import { summaryReporter } from './tools/summary-reporter.ts';

/** Packages of ours resolve to their TypeScript source, in tests as in scripts. */
const conditions = ['@lifeline/source', 'node', 'import', 'module', 'default'];

/** A tier's tests need more than Node: `npm run tier -- NAME`, and `npm run e2e:process` for the tier `process`. */
const tier = process.env['LIFELINE_TIER'];
const onProcesses = tier === 'process';

/** On the one platform of the process tier: what bears company, then what does not, and last what looks at what the others left. */
const groups: Readonly<Record<string, readonly string[]>> = {
  together: ['flips', 'conformance', 'kinds', 'scenarios', 'stamp-policy', 'harness/*'],
  alone: ['crowd', 'recovery'],
  afterwards: ['form', 'what-was-used'],
};
const projects = Object.entries(groups).map(([name, files], groupOrder) => ({
  extends: true as const,
  test: {
    name,
    include: files.map((file) => `e2e/process/${file}.test.ts`),
    maxWorkers: name === 'together' ? 2 : 1,
    sequence: { groupOrder },
  },
}));

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    ...(onProcesses && { projects }),
    include: tier
      ? [`e2e/tiers/${tier}/**/*.test.ts`]
      : [
          'packages/*/{src,conformance}/**/*.test.ts',
          'apps/*/src/**/*.test.ts',
          'e2e/**/*.test.ts',
          'tools/**/*.test.ts',
        ],
    exclude: ['**/node_modules/**', '**/dist/**', '.cache/**', ...(tier ? [] : ['e2e/tiers/**', 'e2e/process/**'])],
    execArgv: ['--conditions=@lifeline/source'],
    // One core is left idle otherwise: half of a small machine.
    maxWorkers: '100%',
    // Nothing of ours keeps state in a module, and reading every module anew for each file costs more than many tests.
    isolate: false,
    silent: onProcesses ? false : 'passed-only',
    // No test waits for real time: a limit is there for what hangs, not for a busy machine.
    testTimeout: 30_000,
    hookTimeout: 120_000,
    reporters: ['default', summaryReporter()],
  },
});
