import { join } from 'node:path';
import { createVitest, type Reporter, type TestCase, type TestModule } from 'vitest/node';
import type { Mutant, Verdict } from '../mutants/types.ts';
import { root } from '../root.ts';
import { plainName } from './prepare.ts';

/** What one run of one test file came to. */
interface Outcome {
  readonly passed: readonly string[];
  readonly failed: readonly TestCase[];
  /** What went wrong outside any test: the file does not load, a hook fails, the process dies. */
  readonly crashes: readonly string[];
}

/** Runs test files with and without planted bugs. */
export interface Mutator extends AsyncDisposable {
  /** The names of the tests that pass in the file as it is; a text instead when something in it fails. */
  clean(test: string): Promise<readonly string[] | string>;
  /** What the mutant's test says when the bug is in. */
  judge(mutant: Mutant): Promise<Verdict>;
}

/** Errors by which code says that it is broken, not that a rule is. */
const brokenCode = new Set(['ReferenceError', 'SyntaxError']);

/**
 * One vitest for many runs, one after the other: what no mutant touches is transformed once. Every run has a process of its own, so
 * no module state leaks from one to the next.
 */
export async function createMutator(): Promise<Mutator> {
  let planted: Mutant | undefined;
  let loaded = false;
  let cases: TestCase[] = [];
  let modules: TestModule[] = [];

  const collector: Reporter = {
    onTestCaseResult: (test) => void cases.push(test),
    onTestModuleEnd: (module) => void modules.push(module),
  };
  const plant = {
    name: 'lifeline:mutant',
    enforce: 'pre' as const,
    transform(code: string, id: string) {
      if (!planted || id.split('?', 1)[0] !== join(root, planted.file)) return undefined;
      loaded = true;
      return { code: code.replace(planted.find, () => planted?.replace ?? ''), map: null };
    },
  };
  const vitest = await createVitest(
    'test',
    { root, watch: false, reporters: [collector], bail: 1 },
    { plugins: [plant] },
  );
  await vitest.standalone();

  async function runFile(test: string, name?: string): Promise<Outcome> {
    cases = [];
    modules = [];
    if (name === undefined) vitest.resetGlobalTestNamePattern();
    else vitest.setGlobalTestNamePattern(new RegExp(RegExp.escape(plainName(name))));
    const { unhandledErrors } = await vitest.runTestSpecifications([
      vitest.getRootProject().createSpecification(join(root, test)),
    ]);
    const containers = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    return {
      passed: cases.filter((test) => test.result().state === 'passed').map(({ fullName }) => plainName(fullName)),
      failed: cases.filter((test) => test.result().state === 'failed'),
      crashes: [...containers.flatMap((container) => container.errors()), ...unhandledErrors].map(
        (error) => (error as Error).message.split('\n', 1)[0] ?? '',
      ),
    };
  }

  return {
    async clean(test) {
      const { passed, failed, crashes } = await runFile(test);
      if (failed[0]) return `${failed[0].fullName} fails without it`;
      return crashes[0] ? `${test} fails without it: ${crashes[0]}` : passed;
    },
    async judge(mutant) {
      planted = mutant;
      loaded = false;
      vitest.invalidateFile(join(root, mutant.file));
      try {
        return verdict(await runFile(mutant.test, mutant.name), loaded);
      } finally {
        planted = undefined;
        vitest.invalidateFile(join(root, mutant.file));
      }
    },
    [Symbol.asyncDispose]: () => vitest.close(),
  };
}

function verdict({ failed, crashes }: Outcome, loaded: boolean): Verdict {
  if (!loaded) return { at: 'invalid', reason: 'its test never loads the file' };
  const names = failed.flatMap((test) => test.result().errors?.map(({ name }) => name) ?? []);
  if (failed[0] && !names.every((name) => brokenCode.has(String(name))))
    return { at: 'killed', by: failed[0].fullName };
  if (failed[0]) return { at: 'invalid', reason: `it breaks the code: ${failed[0].result().errors?.[0]?.message}` };
  return crashes[0]
    ? { at: 'invalid', reason: `no test fails, but it does not load or run: ${crashes[0]}` }
    : { at: 'survived' };
}
