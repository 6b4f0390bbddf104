/** The form in which all scenarios were played: names of resources in Envoys, and who may call the hook. */
import { readFileSync } from 'node:fs';
import { connect, type ConnectionOptions } from 'node:tls';
import { Secret } from '@lifeline/core';
import { createAuthority } from '@lifeline/k8s/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { envoysOf, textOf } from './envoys.fixture.ts';
import { adminClient } from './harness/admin-client.ts';
import { serverDnsName } from './harness/edge-apps.ts';
import { hookClient } from './harness/envoy-gateway.ts';
import { envoyGatewayNamespace, file, hasNamespaces, kubeconfigOf, serverName, servers } from './harness/names.ts';

const { signal } = new AbortController();

describe('what Envoys have', () => {
  const names = async (at: object): Promise<readonly string[]> => {
    const dump = JSON.parse(await textOf({ ...at, path: '/config_dump' })) as { readonly configs: readonly Dump[] };
    const all = dump.configs.flatMap(({ dynamic_listeners = [], dynamic_route_configs = [] }) => [
      ...dynamic_listeners.map(({ name }) => name),
      ...dynamic_route_configs.map(({ route_config }) => route_config.name),
    ]);
    // Envoy Gateway has each Envoy say whether it is ready.
    return all.filter((name) => !name.startsWith('envoy-gateway-proxy-ready'));
  };

  interface Dump {
    readonly dynamic_listeners?: readonly { readonly name: string }[];
    readonly dynamic_route_configs?: readonly { readonly route_config: { readonly name: string } }[];
  }

  it('at edge-1 all Gateways share one, with names of the second form', async () => {
    const envoys = await envoysOf('edge-1');
    expect(envoys).toHaveLength(1);
    const all = await names(envoys[0]?.at ?? {});
    expect(all.toSorted()).toEqual(['http-80', 'tcp-80']);
  });

  it.skipIf(!hasNamespaces)('at edge-2 each Gateway has its own, with names of the first form', async () => {
    const envoys = await envoysOf('edge-2');
    expect(envoys.length).toBeGreaterThan(1);
    const all = (await Promise.all(envoys.map(({ at }) => names(at)))).flat();
    // A Gateway that is gone has left nothing.
    expect(all.length).toBeGreaterThan(0);
    for (const name of all) expect(name).toMatch(/^ns-[-0-9a-f]{36}\/[^/]+\/[^/]+$/);
  });
});

describe('the hook', () => {
  interface Pair {
    readonly cert: string;
    readonly key: string;
  }
  const pairs = new Map<string, Pair | undefined>();

  beforeAll(async () => {
    const client = await adminClient(kubeconfigOf('edge-1'));
    const name = { namespace: envoyGatewayNamespace, name: 'extension-server-client' };
    const { data = {} } = (await client.get(Secret, name, { signal })) as { data?: Record<string, string> };
    const decoded = (entry: string): string => Buffer.from(data[entry] ?? '', 'base64').toString();
    const stranger = createAuthority('stranger').issue({
      commonName: 'envoy-gateway',
      dnsNames: [hookClient],
      usages: ['client'],
    });
    const read = (entry: string): string => readFileSync(file('edge-retranslator-edge-2', entry), 'utf8');
    pairs.set("Envoy Gateway's", { cert: decoded('tls.crt'), key: decoded('tls.key') });
    pairs.set('none', undefined);
    pairs.set('one for that name, signed by somebody else', { cert: stranger.certificate, key: stranger.key });
    pairs.set("the retranslator's, which is for reports", {
      cert: read('certificate.pem'),
      key: read('key.pem'),
    });
  });

  describe.each(servers)('of server %s', (server) => {
    it.each([
      { certificate: "Envoy Gateway's", want: 'speaks HTTP/2' },
      { certificate: 'none', want: 'hangs up' },
      { certificate: 'one for that name, signed by somebody else', want: 'hangs up' },
      { certificate: "the retranslator's, which is for reports", want: 'hangs up' },
    ])('$want to who shows a certificate: $certificate', async ({ certificate, want }) => {
      const name = serverName('edge-1', server);
      const { hook } = JSON.parse(readFileSync(file(name, 'config.yaml'), 'utf8')) as {
        readonly hook: { readonly listen: readonly string[] };
      };
      const ca = readFileSync(file(name, 'authority.pem'), 'utf8');
      expect(await answerTo(hook.listen[0] ?? '', { ca, servername: serverDnsName, ...pairs.get(certificate) })).toBe(
        want,
      );
    });
  });
});

/** Whether a server begins to speak: with TLS 1.3 a client is connected before its certificate is looked at. */
function answerTo(place: string, options: ConnectionOptions): Promise<'speaks HTTP/2' | 'hangs up'> {
  const { promise, resolve } = Promise.withResolvers<'speaks HTTP/2' | 'hangs up'>();
  const [host = '', port = ''] = place.split(':');
  const socket = connect({ host, port: Number(port), ALPNProtocols: ['h2'], ...options });
  // The settings of HTTP/2, which its server sends first.
  socket.on('data', () => resolve('speaks HTTP/2'));
  socket.on('error', () => undefined).on('close', () => resolve('hangs up'));
  return promise.finally(() => socket.destroy());
}
