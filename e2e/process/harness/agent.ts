/**
 * Agents of tunnels, in a customer's network: each renews its connector's Lease, and says once how it can be dialled.
 *
 *     node harness/agent.ts --kubeconfig project-a.kubeconfig --every-ms 1000 default/office=aaaa… default/shop=bbbb…
 */
import { parseArgs } from 'node:util';
import { Connector, describeError, formatMicroTime, Lease, systemClock } from '@lifeline/core';
import { isKubeError } from '@lifeline/k8s';
import { adminClient } from './admin-client.ts';
import { tellReady } from './script.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { kubeconfig: { type: 'string' }, 'every-ms': { type: 'string', default: '1000' } },
});
const { signal } = new AbortController();
const client = await adminClient(values.kubeconfig ?? '', 'agent');

/** The uid of the Connector that has its details: one that is made anew has none. */
const told = new Map<string, string>();

async function beat(key: string, id: string): Promise<void> {
  const [namespace, name] = key.split('/') as [string, string];
  const there = { namespace, name };
  const renewTime = formatMicroTime(systemClock.now());
  const renewal = { type: 'merge', body: { spec: { holderIdentity: 'agent', renewTime } } } as const;
  await client.patch({ kind: Lease, name: there }, renewal, { signal });
  const { uid = '' } = (await client.get(Connector, there, { signal })).metadata;
  if (told.get(key) === uid) return;
  const publicKey = { id, discoveryMode: 'DNS', homeRelay: 'https://relay.example/', addresses: [] };
  const status = { type: 'merge', body: { status: { connectionDetails: { type: 'PublicKey', publicKey } } } } as const;
  await client.patch({ kind: Connector, name: there }, status, { signal, subresource: 'status' });
  told.set(key, uid);
  console.log(`${key}: told`);
}

tellReady();
for (;;) {
  await Promise.all(
    positionals.map(async (text) => {
      const [key = '', id = ''] = text.split('=');
      try {
        await beat(key, id);
      } catch (error) {
        // It is not there yet, or not any more: the next beat looks again.
        if (!isKubeError(error, 'not-found')) console.log(`${key}: ${describeError(error)}`);
      }
    }),
  );
  await systemClock.sleep(Number(values['every-ms']));
}
