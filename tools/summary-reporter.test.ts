import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './root.ts';
import { scratch } from './testing/scratch.ts';

const config = `
  import { summaryReporter } from '../../tools/summary-reporter.ts';
  export default { test: { include: ['*.fixture.ts'], reporters: ['default', summaryReporter()] } };
`;

/** Runs the files as a suite of their own; gives the exit code and the last line. */
function run(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  using folder = scratch({ 'vitest.config.ts': config, ...files });
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...args],
    {
      cwd: folder.path,
      encoding: 'utf8',
    },
  );
  return { status, last: stdout.trimEnd().split('\n').at(-1), stdout };
}

const imports = `import { beforeAll, describe, expect, it } from 'vitest';\n`;

describe('the summary line', { timeout: 60_000 }, () => {
  it('counts passed tests, and a green run exits with 0', () => {
    const passing = `${imports} it('a', () => {}); describe('b', () => { it.each([1, 2])('c %i', () => {}); });`;
    expect(run({ 'a.fixture.ts': passing, 'b.fixture.ts': passing })).toMatchObject({
      status: 0,
      last: '6 passed, 0 failed',
    });
  });

  it('counts failing tests, files, hooks and stray errors as failed; skipped and todo as neither', () => {
    const { status, last, stdout } = run({
      'mixed.fixture.ts': `${imports}
        it('passes', () => {});
        it('fails', () => expect(1).toBe(2));
        it.skip('is skipped', () => {});
        it.todo('is still to do');
        it.fails('is expected to fail', () => expect(1).toBe(2));`,
      'broken.fixture.ts': `import './not-there.ts';\n${imports} it('is never reached', () => {});`,
      'hook.fixture.ts': `${imports} describe('suite', () => { beforeAll(() => { throw new Error('hook'); }); it('cannot run', () => {}); });`,
      'stray.fixture.ts': `${imports} it('leaves a rejection behind', async () => { void Promise.reject(new Error('stray')); await new Promise((r) => setTimeout(r, 20)); });`,
      'empty.fixture.ts': `export {};`,
    });
    expect(status).toBe(1);
    // failed: fails, broken.fixture, the suite of hook.fixture, the stray rejection, empty.fixture
    // skipped: skip, todo, the test behind the failed hook
    expect(last).toBe('3 passed, 5 failed, 3 skipped');
    expect(stdout.split('\n').filter((line) => line.startsWith('failed: '))).toEqual([
      'failed: outside of any test: stray',
      expect.stringMatching(/^failed: broken\.fixture\.ts: .*not-there/),
      expect.stringMatching(/^failed: empty\.fixture\.ts: No test suite found/),
      'failed: hook.fixture.ts > suite: hook',
      'failed: mixed.fixture.ts > fails: expected 1 to be 2 // Object.is equality',
    ]);
  });

  it('a worker that dies takes its tests with it', () => {
    const { status, last } = run({
      'dies.fixture.ts': `${imports} it('first', () => {}); it('dies', () => process.kill(process.pid, 'SIGKILL'));`,
    });
    expect(status).toBe(1);
    expect(last).toMatch(/^[01] passed, [1-9]\d* failed/);
  });

  it.each([
    { name: 'no file', files: {} },
    { name: 'every test skipped', files: { 'a.fixture.ts': `${imports} it.skip('a', () => {});` } },
  ])('$name: exits with 1', ({ files }) => {
    const { status, stdout, last } = run(files);
    expect(status).toBe(1);
    expect(stdout).toContain('No test ran.');
    expect(last).toMatch(/^0 passed, 0 failed/);
  });
});
