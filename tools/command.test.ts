import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './root.ts';

function tool(name: string, ...args: readonly string[]) {
  const file = join(root, 'tools', `${name}.ts`);
  return spawnSync(process.execPath, ['--conditions=@lifeline/source', file, ...args], { cwd: root, encoding: 'utf8' });
}

describe('every command', { timeout: 60_000 }, () => {
  it.each(['check', 'build', 'bench', 'sim', 'soak', 'binaries', 'mutants'])(
    '%s --help says how it is called, and does nothing',
    (name) => {
      const { status, stdout } = tool(name, '--help');
      expect(status).toBe(0);
      expect(stdout).toMatch(new RegExp(`^npm run ${name}\\b`));
      expect(stdout).not.toMatch(/passed/);
    },
  );

  it('names what is there, when it is asked for what is not', () => {
    const { status, stderr } = tool('binaries', 'etcd', 'etdc');
    expect(status).toBe(2);
    expect(stderr).toMatch(/^There is no binary etdc\.\n[^]*: kubectl, helm, envoy,/);
  });

  it('refuses what it does not know, and numbers that are none', () => {
    expect(tool('sim', '--sees=1')).toMatchObject({ status: 2, stderr: expect.stringContaining("'--sees'") });
    for (const text of ['0', '-1', '1.5', 'many', '']) {
      expect(tool('sim', `--seeds=${text}`)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining(`not "${text}"`),
      });
    }
  });

  it('fails when there is nothing to do', () => {
    for (const name of ['bench', 'sim', 'soak', 'mutants']) {
      const { status, stdout } = tool(name, 'nothing-is-named-so');
      expect(status, name).toBe(1);
      expect(stdout.trimEnd().split('\n').at(-1), name).toBe('0 passed, 0 failed');
    }
  });
});
