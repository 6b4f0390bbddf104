import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './root.ts';

/** Runs lines of bash with the sections of `.ci/sections.sh` at hand; gives the exit code and the last line. */
function ci(...lines: readonly string[]) {
  const script = ['set -u', `. ${join(root, '.ci/sections.sh')}`, ...lines].join('\n');
  const { status, stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  return { status, last: stdout.trimEnd().split('\n').at(-1), stdout };
}

/** A command that prints these lines and exits with this code. */
const says = (code: number, ...lines: readonly string[]): string =>
  `bash -c '${lines.map((line) => `echo "${line}"; `).join('')}exit ${code}'`;

describe('.ci/run', { timeout: 60_000 }, () => {
  it.each([
    {
      name: 'all pass',
      lines: [`suite a ${says(0, '5 passed, 0 failed')}`, `section b ${says(0, '3 passed, 0 failed')}`],
      want: [0, '8 passed, 0 failed'],
    },
    {
      name: 'a suite counts each failed test',
      lines: [`suite a ${says(1, '5 passed, 2 failed')}`],
      want: [1, '5 passed, 2 failed'],
    },
    {
      name: 'a section counts once, however much failed',
      lines: [`section a ${says(1, '5 passed, 7 failed')}`],
      want: [1, '5 passed, 1 failed'],
    },
    {
      name: 'a suite that dies without a line',
      lines: [`suite a ${says(1, 'boom')}`],
      want: [1, '0 passed, 1 failed'],
    },
    {
      name: 'a suite that says all is well and fails',
      lines: [`suite a ${says(3, '5 passed, 0 failed')}`],
      want: [1, '5 passed, 1 failed'],
    },
    {
      name: 'a section that says so but exits with 0',
      lines: [`section a ${says(0, '5 passed, 2 failed')}`],
      want: [1, '5 passed, 1 failed'],
    },
    { name: 'a section without a line', lines: [`section a ${says(0, 'done')}`], want: [0, '0 passed, 0 failed'] },
    { name: 'a command that is not there', lines: ['section a no-such-command-here'], want: [1, '0 passed, 1 failed'] },
    {
      name: 'the last line counts, not one before it',
      lines: [`suite a ${says(0, '1 passed, 9 failed', '5 passed, 0 failed')}`],
      want: [0, '5 passed, 0 failed'],
    },
    {
      name: 'text around it is no such line',
      lines: [`suite a ${says(0, '5 passed, 0 failed', 'Tests 9 passed, 1 failed, so')}`],
      want: [0, '5 passed, 0 failed'],
    },
    {
      name: 'skipped is summed',
      lines: [
        `suite a ${says(0, '5 passed, 0 failed, 2 skipped')}`,
        `section b ${says(0, '1 passed, 0 failed, 1 skipped')}`,
      ],
      want: [0, '6 passed, 0 failed, 3 skipped'],
    },
    {
      name: 'what follows a failure still runs',
      lines: [`section a ${says(1)}`, `suite b ${says(0, '4 passed, 0 failed')}`, `section c ${says(2)}`],
      want: [1, '4 passed, 2 failed'],
    },
    { name: 'nothing ran', lines: [], want: [0, '0 passed, 0 failed'] },
  ])('$name', ({ lines, want }) => {
    const { status, last } = ci(...lines, 'finish');
    expect([status, last]).toEqual(want);
  });

  it('stops early only when the installation fails', () => {
    const { status, last, stdout } = ci(
      `section install ${says(1)} || finish`,
      `suite test ${says(0, '4 passed, 0 failed')}`,
      'finish',
    );
    expect([status, last]).toEqual([1, '0 passed, 1 failed']);
    expect(stdout).not.toContain('=== test');
  });

  it('says at the end what failed, of what failed', () => {
    const { stdout } = ci(
      `suite a ${says(1, 'failed: a.test.ts > it: expected 1', '5 passed, 1 failed')}`,
      `suite b ${says(0, 'failed: to look at', '1 passed, 0 failed')}`,
      'finish',
    );
    expect(stdout.split('=== Sections')[1]).toMatch(/^FAILED a .*\nfailed: a\.test\.ts > it: expected 1\nok {5}b /m);
    expect(stdout.split('=== Sections')[1]).not.toContain('to look at');
  });

  it('shows the output as it comes, errors too', () => {
    expect(ci("section a bash -c 'echo out; echo err >&2'", 'finish').stdout).toMatch(/^out\nerr$/m);
  });
});
