/** What Envoys count. */
import { get } from 'node:http';
import { systemClock } from '@lifeline/core';
import { act } from './harness/control.ts';
import { adminPort } from './harness/envoy.ts';
import { type Edge, edges } from './harness/names.ts';
import { portOf } from './harness/ways.ts';

const pollMs = 100;
const limitMs = 30_000;

export interface RunningEnvoy {
  readonly name: string;
  /** Where its admin interface is, as `request` takes it. */
  readonly at: object;
}

/** Of an edge, those that run. @throws Error when edge-1 has none: it always has one */
export async function envoysOf(edge: Edge): Promise<readonly RunningEnvoy[]> {
  const states = (await act('states')) as Readonly<Record<string, number | string>>;
  const names = Object.keys(states).filter(
    (name) => name.startsWith(`envoy-${edge}-`) && typeof states[name] === 'number',
  );
  if (names.length === 0 && edge === 'edge-1') throw new Error(`no Envoy of ${edge} runs`);
  const network = (name: string): string => name.replace(/^envoy-/, '');
  return names.map((name) => ({
    name,
    at: edge === 'edge-1' ? { host: '127.0.0.1', port: adminPort } : { socketPath: portOf(network(name), adminPort) },
  }));
}

/** Updates that any Envoy has refused, by Envoy and counter; those that are 0 are left out. Waits for an Envoy that another test starts just now. */
export async function rejectedUpdates(): Promise<Readonly<Record<string, number>>> {
  const all: Record<string, number> = {};
  for (const { name, at } of (await Promise.all(edges.map(envoysOf))).flat()) {
    const text = await answerOf({ ...at, path: '/stats?filter=update_rejected' });
    if (text.trim() === '') throw new Error(`${name} counts nothing`);
    for (const line of text.trim().split('\n')) {
      const [counter = '', value = ''] = line.split(': ');
      if (Number(value) !== 0) all[`${name} ${counter}`] = Number(value);
    }
  }
  return all;
}

async function answerOf(options: object): Promise<string> {
  for (const from = systemClock.monotonic(); ; await systemClock.sleep(pollMs)) {
    try {
      return await textOf(options);
    } catch (error) {
      if (systemClock.monotonic() - from > limitMs) throw error;
    }
  }
}

export function textOf(options: object): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  get({ ...options, agent: false }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    response.on('end', () => resolve(text)).on('error', reject);
  }).on('error', reject);
  return promise;
}
