import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

interface Ended {
  readonly signal: string | null;
  readonly code: number | null;
  readonly output: string;
}

function run(what: string): Promise<Ended> {
  const fixture = fileURLToPath(new URL('watchdog.fixture.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=@lifeline/source', fixture, what]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, output })));
}

// The only test with time of its own: what it shows is that a real thread ends a real process.
describe('the watchdog', () => {
  it('ends a process whose event loop stands still, and says so', async () => {
    const { signal, output } = await run('still');
    expect(signal).toBe('SIGKILL');
    expect(output).toMatch(/^runs\n.*the event loop stands still.*\n$/s);
  });

  it('lets one that is busy go on, and does not keep it from ending', async () => {
    expect(await run('busy')).toEqual({ code: 0, signal: null, output: 'runs\ndone\n' });
  });
});
