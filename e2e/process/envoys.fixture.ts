/** What Envoys count. */
import { readdirSync } from 'node:fs';
import { get } from 'node:http';
import { adminPort } from './harness/envoy.ts';
import { file } from './harness/names.ts';

/** All Envoys that run, by name: what their admin interface is reached by. */
const envoys = (): readonly { readonly name: string; readonly at: object }[] => [
  { name: 'edge-1', at: { host: '127.0.0.1', port: adminPort } },
  ...readdirSync(file())
    .filter((name) => name.startsWith('edge-2-'))
    .map((name) => ({ name, at: { socketPath: file(name, `${adminPort}.sock`) } })),
];

/** Updates that any Envoy has refused, by Envoy and counter; those that are 0 are left out. */
export async function rejectedUpdates(): Promise<Readonly<Record<string, number>>> {
  const all: Record<string, number> = {};
  for (const { name, at } of envoys()) {
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
