import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

interface Run {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** Resolves when a line with this text was printed. */
  printed(text: string): Promise<void>;
  readonly ended: Promise<{ code: number | null; output: string }>;
}

function run(...flags: readonly string[]): Run {
  const fixture = fileURLToPath(new URL('run-main.fixture.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=@lifeline/source', fixture, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const waiting: { text: string; resolve: () => void }[] = [];
  const take = (chunk: Buffer): void => {
    output += chunk.toString();
    for (const { text, resolve } of waiting) if (output.includes(text)) resolve();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  return {
    child,
    printed: (text) => new Promise((resolve) => waiting.push({ text, resolve })),
    ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, output }))),
  };
}

/** Two ports that were free a moment ago. */
async function freePorts(): Promise<[number, number]> {
  const servers = [createServer(), createServer()];
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) =>
          server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
        ),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return [ports[0] ?? 0, ports[1] ?? 0];
}

describe('runMain', () => {
  it('serves health and metrics, logs JSON without secrets, and leaves with 0 on SIGTERM', async () => {
    const [health, metrics] = await freePorts();
    const { child, printed, ended } = run(`--health-port=${health}`, `--metrics-port=${metrics}`);
    await printed('started');
    const get = async (port: number, path: string): Promise<string> => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      return `${response.status} ${await response.text()}`;
    };
    expect(await get(health, '/livez')).toBe('200 ok\n');
    expect(await get(health, '/readyz')).toBe('200 [+]fixture ok\nok\n');
    expect(await get(metrics, '/metrics')).toContain('nodejs_eventloop_lag_p99_seconds');
    expect(await get(health, '/debug/fixture')).toBe('200 {"is":"shown"}\n');
    expect(await get(health, '/nothing')).toBe('404 no such path: /livez, /readyz, /debug/fixture\n');
    child.kill('SIGTERM');
    const { code, output } = await ended;
    expect(code).toBe(0);
    expect(output).not.toContain('hush');
    for (const line of output.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ app: 'fixture' });
    expect(output).toContain('received SIGTERM');
  });

  it('a metric that cannot be read fails the scrape, not the process', async () => {
    const [health, metrics] = await freePorts();
    const { child, printed, ended } = run(`--health-port=${health}`, `--metrics-port=${metrics}`, '--unreadable');
    await printed('started');
    const response = await fetch(`http://127.0.0.1:${metrics}/metrics`);
    expect([response.status, await response.text()]).toEqual([500, 'unreadable, says the fixture\n']);
    expect((await fetch(`http://127.0.0.1:${health}/debug/fixture`)).status).toBe(500);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });

  it.each([
    {
      name: 'leaves with 2 and says what to do on a mistake in the configuration',
      flags: ['--log-levl=debug'],
      code: 2,
      says: 'did you mean --log-level?',
    },
    {
      name: 'leaves with 1 when the app cannot go on',
      flags: ['--fail', '--health-port=0', '--metrics-port=0'],
      code: 1,
      says: 'says the fixture',
    },
    { name: 'leaves with 0 after --help', flags: ['--help'], code: 0, says: '--shutdown-ms' },
  ])('$name', async ({ flags, code, says }) => {
    const { ended } = run(...flags);
    const result = await ended;
    expect(result.code).toBe(code);
    expect(result.output).toContain(says);
    expect(result.output).not.toContain('    at ');
  });
});
