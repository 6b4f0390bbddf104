import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@lifeline/core';
import { ensureBinaries } from './binaries/ensure.ts';
import { binaryNames, binaryOf } from './binaries/recipes.ts';
import { buildApp } from './build.ts';
import { called } from './command.ts';
import { run } from './process.ts';
import { root } from './root.ts';
import { summaryLine } from './summary.ts';

const usage = `npm run e2e:process [-- [--keep] [FILTER…]]

Runs the scenarios of e2e/process on real processes of this machine: kube-apiservers, Envoy Gateway, Envoy, and our apps from their production
bundles, with the rights of their charts. With filters: only files whose path contains one. What is missing in .cache/bin is made first, as
by npm run binaries. Linux, as root; edge-2 lives in a network of its own, and has no Envoy Gateway where that is not allowed.

  --keep   brings everything up, says how to reach it, and waits for Ctrl-C. Meanwhile the same command without --keep uses what is up.

LIFELINE_KARMADA_BIN=DIR has Karmada's own programs, with its CRDs in DIR/crds, take the place of the small one.
Logs, kubeconfigs and audit logs: .cache/e2e/process.`;

const apps = ['hub-replicator', 'edge-extension-server', 'edge-retranslator'];
const folder = join(root, '.cache/e2e/process');

/** Somebody holds it and can be reached: what a killed run left behind cannot. */
function isUp(): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  if (!existsSync(ready)) return Promise.resolve(false);
  const socket = connect(join(folder, 'control.sock'));
  socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}

const pollMs = 100;
/** `no`: processes have no networks and mounts of their own. */
const namespaces = 'LIFELINE_NAMESPACES';
/** One platform on a machine, whichever clone brings it up. */
const lock = join(tmpdir(), 'lifeline-e2e-process.lock');
/** An exit code that up.ts has not. */
const isTaken = 75;
const locked = ['--nonblock', '--no-fork', '--conflict-exit-code', String(isTaken), lock];
/** There while everything can be used; `kept`: by whoever comes. */
const ready = join(folder, 'ready');

const { values, words: filters } = called(usage, { keep: { type: 'boolean' } });
const prepared = await prepare();
if ('lacks' in prepared) {
  console.log(`This machine cannot run the process tier: ${prepared.lacks}`);
  console.log(summaryLine({ passed: 0, failed: 0, skipped: 1 }));
} else if ('cannot' in prepared) {
  console.error(prepared.cannot);
  console.log(summaryLine({ passed: 0, failed: 1, skipped: 0 }));
  process.exitCode = 1;
} else {
  process.exitCode = values['keep'] ? await keep(prepared.env) : await play(prepared.env);
}

type Prepared =
  | { readonly env: Readonly<Record<string, string>> }
  /** The wrong kind of machine. */
  | { readonly lacks: string }
  /** What should have worked did not. */
  | { readonly cannot: string };

/** Programs by variable, or why there are none. */
async function prepare(): Promise<Prepared> {
  if (process.platform !== 'linux') return { lacks: `it takes Linux, and this is ${process.platform}` };
  if (process.getuid?.() !== 0) return { lacks: 'it takes root: Envoy Gateway reads its certificates from /certs' };
  if (!can('flock', '--version')) return { lacks: 'it takes setpriv and flock (util-linux)' };
  const apart = process.env[namespaces] !== 'no' && can('unshare', '--net', '--mount', 'sh', '-c', 'ip link set lo up');
  if (!apart)
    console.log(
      'No namespaces here (unshare, nsenter, ip, and leave to use them): edge-2 has no Envoy Gateway, and what needs one there, or authorities of our own in Envoy, is skipped.',
    );
  const ensured = await ensureBinaries(binaryNames);
  if ('cannot' in ensured) return ensured;
  console.log(binaryNames.map((name) => `${name} ${binaryOf(name).version}`).join(', '));
  const variable = (name: string): string => name.toUpperCase().replaceAll('-', '_');
  const paths = Object.fromEntries(Object.entries(ensured.paths).map(([name, path]) => [variable(name), path]));
  return { env: { ...paths, [namespaces]: apart ? 'yes' : 'no' } };
}

/** Whether a command can be run as processes of the platform are. */
function can(...command: readonly string[]): boolean {
  return spawnSync('setpriv', ['--pdeathsig', 'KILL', '--', ...command]).status === 0;
}

type Env = Readonly<Record<string, string>>;

async function play(env: Env): Promise<number> {
  const kept = (await isUp()) && readFileSync(ready, 'utf8') === 'kept';
  if (!kept && isHeld()) return taken();
  const platform = kept ? undefined : await bringUp(env);
  if (platform && hasEnded(platform)) return endOf(platform) || 1;
  try {
    const { code } = await run('vitest', ['run', ...filters], { env: { ...env, LIFELINE_TIER: 'process' } });
    return code;
  } finally {
    if (platform) await end(platform);
  }
}

async function keep(env: Env): Promise<number> {
  if (await isUp()) {
    console.error(`It is up already; its logs are in ${join(folder, 'logs')}.`);
    return 2;
  }
  if (isHeld()) return taken();
  const platform = await bringUp(env, '--keep');
  if (!hasEnded(platform)) {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => void platform.kill(name));
    console.log(`
  KUBECONFIG=${folder}/project-a.kubeconfig ${env['KUBECTL']} get connectors -A
  curl -H 'host: www.example.test' http://127.0.0.1:10080/
  curl --unix-socket ${folder}/control.sock localhost -d '["states"]'

docs/testing.md says more. Ctrl-C ends everything.`);
    await once(platform, 'exit');
  }
  return endOf(platform);
}

/** Whether somebody else has the machine. */
function isHeld(): boolean {
  return spawnSync('flock', [...locked, 'true']).status === isTaken;
}

/** The exit code. */
function endOf({ exitCode }: ChildProcess): number {
  return exitCode === isTaken ? taken() : (exitCode ?? 1);
}

function taken(): number {
  console.error(
    'This machine runs the process tier already, here or in another clone: its ports are fixed. Wait for its end, or end it; with --keep, by Ctrl-C.',
  );
  return 2;
}

/** Resolves when it can be used, or has ended: it says why. */
async function bringUp(env: Env, ...args: readonly string[]): Promise<ChildProcess> {
  for (const app of apps) {
    const { fault } = await buildApp(join(root, 'apps', app), join(root, 'dist'));
    if (fault !== undefined) throw new Error(`${app}: ${fault}`);
  }
  const script = [process.execPath, '--conditions=@lifeline/source', join(root, 'e2e/process/harness/up.ts')];
  const platform = spawn('flock', [...locked, ...script, ...args], {
    // It ends when this pipe does: with this process.
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  while (!(await isUp()) && !hasEnded(platform)) await systemClock.sleep(pollMs);
  return platform;
}

async function end(platform: ChildProcess): Promise<void> {
  if (hasEnded(platform)) return;
  platform.kill('SIGTERM');
  await once(platform, 'exit');
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
