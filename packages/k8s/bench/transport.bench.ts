/**
 * The transport beside Node's keep-alive agent and beside client-node: small reads over TLS, and a thousand watches that say nothing.
 * Server and clients are processes of their own and share the machine's cores: read the ratios, not the figures.
 *
 * Run: `node --conditions=@lifeline/source --expose-gc packages/k8s/bench/transport.bench.ts`
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

interface Rate {
  readonly perSecond: number;
  readonly cpuMs: number;
}

interface Opening {
  readonly ms: number;
  readonly cpuMs: number;
  readonly kb: number;
}

const start = (file: string, ...args: readonly string[]): ChildProcess =>
  fork(join(import.meta.dirname, 'transport', file), args, {
    execArgv: ['--conditions=@lifeline/source', '--expose-gc', '--no-warnings'],
  });

/** The first message of a child; an error when it ends without one. */
const said = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as T));
    child.once('exit', (code) => reject(new Error(`${child.spawnargs.join(' ')} ended with ${code ?? 'a signal'}`)));
  });

const row = (...cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);

async function measure<T>(name: string, task: 'requests' | 'watches'): Promise<T> {
  const client = start('client.ts', name, url, ca, task);
  const figures = await said<T>(client);
  await once(client, 'exit');
  return figures;
}

/** A row for each client; ours is the first, and what the others are compared with. */
function table<T>(
  names: readonly string[],
  figures: readonly T[],
  columns: Readonly<Record<string, (figure: T) => number>>,
): void {
  row('client', ...Object.keys(columns));
  row('---', ...Object.keys(columns).map(() => '---'));
  for (const [index, figure] of figures.entries()) {
    const cells = Object.values(columns).map((read) => {
      const [value, base] = [read(figure), read(figures[0] as T)];
      return `${value < 10 ? value.toPrecision(2) : Math.round(value).toLocaleString('en')} (${(value / base).toFixed(2)}×)`;
    });
    row(names[index] ?? '', ...cells);
  }
}

const server = start('server.ts');
const { url, ca } = await said<{ url: string; ca: string }>(server);
try {
  const readers = ['ours', 'node:https', 'node:http2, bare', 'client-node'];
  const rates: { readonly one: Rate; readonly many: Rate }[] = [];
  for (const name of readers) rates.push(await measure(name, 'requests'));
  console.log('Small reads (2 kB of JSON, TLS 1.3); in brackets the ratio to ours.\n');
  table(readers, rates, {
    'requests/s, 1 at a time': ({ one }) => one.perSecond,
    'CPU ms, 1 at a time': ({ one }) => one.cpuMs,
    'requests/s, 20 at a time': ({ many }) => many.perSecond,
    'CPU ms, 20 at a time': ({ many }) => many.cpuMs,
  });
  const watchers = ['ours', 'node:https'];
  const openings: Opening[] = [];
  for (const name of watchers) openings.push(await measure(name, 'watches'));
  console.log('\n1,000 watches that say nothing.\n');
  table(watchers, openings, {
    'ms to open': ({ ms }) => ms,
    'CPU ms to open': ({ cpuMs }) => cpuMs,
    'kB of memory each': ({ kb }) => kb,
  });
} finally {
  server.kill('SIGKILL');
}
