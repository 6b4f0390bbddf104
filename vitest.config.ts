import { defineConfig } from 'vitest/config';
import { summaryReporter } from './tools/summary-reporter.ts';

/** Packages of ours resolve to their TypeScript source, in tests as in scripts. */
const conditions = ['@lifeline/source', 'node', 'import', 'module', 'default'];

/** A tier's tests need more than Node: `npm run tier -- NAME`, and `npm run e2e:process` for the tier `process`. */
const tier = process.env['LIFELINE_TIER'];
const onProcesses = tier === 'process';

const filesOf = (names: readonly string[]): string[] => names.map((name) => `e2e/process/${name}.test.ts`);
const together = filesOf(['flips', 'conformance', 'kinds', 'scenarios', 'stamp-policy', 'harness/*']);
const afterwards = filesOf(['form', 'what-was-used']);
/** On the one platform of the process tier: what bears company, then what does not, and last what looks at what the others left. */
const projects = [
  { name: 'together', include: together, maxWorkers: 2 },
  { name: 'alone', include: filesOf(['**/*']), exclude: [...together, ...afterwards], maxWorkers: 1 },
  { name: 'afterwards', include: afterwards, maxWorkers: 1 },
].map((group, groupOrder) => ({ extends: true as const, test: { ...group, sequence: { groupOrder } } }));

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
