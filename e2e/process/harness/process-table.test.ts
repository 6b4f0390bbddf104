/** No process is left behind, whatever ends whoever started it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { endLeftovers, ProcessTable } from './process-table.ts';

const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}/stat`);

/** A zombie that its parent has not looked at yet runs no more. */
async function untilGone(pid: number): Promise<void> {
  while (isRunning(pid) && !(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z')).includes(') Z'))
    await systemClock.sleep(20);
}

const idle = { command: 'sleep', args: ['1000'] };
const deaf = { command: 'sh', args: ['-c', 'trap "" TERM; while :; do sleep 0.1; done'] };

async function scratchTable(): Promise<{ readonly table: ProcessTable; readonly folder: string } & AsyncDisposable> {
  const folder = await mkdtempDisposable(join(tmpdir(), 'lifeline-table-'));
  await mkdir(join(folder.path, 'logs'));
  const table = new ProcessTable({ folder: folder.path, env: { PATH: process.env['PATH'] ?? '' } });
  return {
    table,
    folder: folder.path,
    async [Symbol.asyncDispose]() {
      await table[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe('the table of processes', () => {
  it('ends what it started, and knows how each ended', async () => {
    await using scratch = await scratchTable();
    const { table } = scratch;
    await table.start('a', idle);
    const pid = table.pid('a');
    expect(table.states).toEqual({ a: pid });
    await table.end('a');
    expect(table.states).toEqual({ a: 'SIGTERM' });
    expect(isRunning(pid)).toBe(false);
    await table.again('a');
    expect(table.pid('a')).not.toBe(pid);
    await expect(table.start('a', idle)).rejects.toThrow('a runs already');
  });

  it('ends a frozen one, and at once one that hears nothing', async () => {
    await using scratch = await scratchTable();
    const { table } = scratch;
    await table.start('frozen', idle);
    table.signal('frozen', 'SIGSTOP');
    await table.end('frozen');
    await table.start('deaf', deaf);
    await table.end('deaf', 'SIGKILL');
    expect(table.states).toEqual({ frozen: 'SIGTERM', deaf: 'SIGKILL' });
  });

  it('knows who ended though nobody asked', async () => {
    await using scratch = await scratchTable();
    const { table } = scratch;
    await table.start('asked', idle);
    await table.end('asked', 'SIGKILL');
    const dies = 'trap "echo out of memory; exit 7" USR1; touch "$READY_FILE"; while :; do sleep 0.02; done';
    await table.start('by-itself', { command: 'sh', args: ['-c', dies], ready: 'told' });
    expect(table.crashed).toEqual([]);
    table.signal('by-itself', 'SIGUSR1');
    while (table.crashed.length === 0) await systemClock.sleep(20);
    expect(table.crashed).toEqual(['by-itself']);
    await expect(table.end('by-itself')).rejects.toThrow(
      /by-itself had ended by itself, with exit code 7: .*\nout of memory/,
    );
  });

  it('waits for one that tells when it can be used, each time anew', async () => {
    await using scratch = await scratchTable();
    const { table, folder } = scratch;
    const told = {
      command: 'sh',
      args: ['-c', 'sleep 0.2; echo "$$" > "$READY_FILE.part"; mv "$READY_FILE.part" "$READY_FILE"; exec sleep 1000'],
      ready: 'told',
    } as const;
    for (const begin of [() => table.start('a', told), () => table.again('a')]) {
      await begin();
      expect(Number(await readFile(join(folder, 'a.ready'), 'utf8'))).toBe(table.pid('a'));
      await table.end('a', 'SIGKILL');
    }
  });

  it('ends what is being started when all ends, and starts no other', async () => {
    await using scratch = await scratchTable();
    const { table } = scratch;
    const never = table.start('never', { ...idle, ready: () => Promise.resolve(false) });
    const refused = expect(never).rejects.toThrow('never ended with SIGTERM');
    while (!table.has('never')) await systemClock.sleep(5);
    await table[Symbol.asyncDispose]();
    await refused;
    await expect(table.start('late', idle)).rejects.toThrow('late is not started any more');
  });

  it('says what one said that ended before it could be used', async () => {
    await using scratch = await scratchTable();
    const said = { command: 'sh', args: ['-c', 'echo no such database; exit 3'], ready: () => Promise.resolve(false) };
    await expect(scratch.table.start('a', said)).rejects.toThrow(/a ended with exit code 3: .*\n.*no such database/);
  });

  it('is taken along by the end of its own process, however that comes', async () => {
    await using scratch = await scratchTable();
    const script = `
      const { ProcessTable } = await import(${JSON.stringify(join(import.meta.dirname, 'process-table.ts'))});
      const table = new ProcessTable({ folder: ${JSON.stringify(scratch.folder)}, env: { PATH: process.env.PATH } });
      await table.start('a', { command: 'sleep', args: ['1000'] });
      console.log(table.pid('a'));
      setInterval(() => undefined, 1000);`;
    const args = ['--conditions=@lifeline/source', '--input-type=module', '--eval', script];
    const holder = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [said] = (await once(holder.stdout, 'data')) as [Buffer];
    const pid = Number(said.toString());
    expect(isRunning(pid)).toBe(true);
    holder.kill('SIGKILL');
    await untilGone(pid);
  });

  it('of an earlier run ends what is still the same process, and nothing else', async () => {
    await using scratch = await scratchTable();
    const { table, folder } = scratch;
    await table.start('left', idle);
    await table.start('another', idle);
    const file = join(folder, 'pids.json');
    const known = JSON.parse(await readFile(file, 'utf8')) as { name: string; pid: number; started: string }[];
    // Its number was given to somebody else since.
    const told = known.map((one) => (one.name === 'another' ? { ...one, started: '1' } : one));
    await writeFile(file, JSON.stringify(told));
    await endLeftovers(folder);
    await untilGone(table.pid('left'));
    expect(isRunning(table.pid('another'))).toBe(true);
  });
});
