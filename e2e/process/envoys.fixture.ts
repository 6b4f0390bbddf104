/** What Envoys count. */
import { get } from 'node:http';
import { act } from './harness/control.ts';
import { adminPort } from './harness/envoy.ts';
import { portOf } from './harness/ways.ts';

/** What the admin interface of each Envoy that runs is reached by, by its name. */
async function envoys(): Promise<readonly { readonly name: string; readonly at: object }[]> {
  const states = (await act('states')) as Readonly<Record<string, number | string>>;
  const [first, ...others] = Object.keys(states).filter(
    (name) => /^envoy-edge-/.test(name) && typeof states[name] === 'number',
  );
  if (first === undefined) throw new Error('no Envoy runs');
  return [
    { name: first, at: { host: '127.0.0.1', port: adminPort } },
    ...others.map((name) => ({ name, at: { socketPath: portOf(name.replace(/^envoy-/, ''), adminPort) } })),
  ];
}

/** Updates that any Envoy has refused, by Envoy and counter; those that are 0 are left out. */
export async function rejectedUpdates(): Promise<Readonly<Record<string, number>>> {
  const all: Record<string, number> = {};
  for (const { name, at } of await envoys()) {
    const text = await textOf({ ...at, path: '/stats?filter=update_rejected' });
    if (text.trim() === '') throw new Error(`${name} counts nothing`);
    for (const line of text.trim().split('\n')) {
      const [counter = '', value = ''] = line.split(': ');
      if (Number(value) !== 0) all[`${name} ${counter}`] = Number(value);
    }
  }
  return all;
}

function textOf(options: object): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  get({ ...options, agent: false }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    response.on('end', () => resolve(text)).on('error', reject);
  }).on('error', reject);
  return promise;
}
