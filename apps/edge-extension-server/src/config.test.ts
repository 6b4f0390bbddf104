import { ConfigError, loadConfig } from '@lifeline/k8s';
import { filesOf } from '@lifeline/k8s/testing';
import { describe, expect, it } from 'vitest';
import { app } from './app.ts';

const required = ['--gateway-classes=edge'];
const local = [...required, '--hook-listen=127.0.0.1:5005', '--report-listen=[::1]:5006'];
const tls = [...required, '--tls-certificate=c', '--tls-key=k', '--tls-ca=a'];

async function problems(argv: readonly string[]): Promise<readonly string[]> {
  const { signal } = new AbortController();
  try {
    await loadConfig(app, { argv, variables: {}, files: filesOf({}), signal });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('the settings', () => {
  it.each([
    { name: 'on this machine alone', argv: local },
    { name: 'on Unix sockets alone', argv: [...required, '--hook-listen=unix:/run/h', '--report-listen=unix:/run/r'] },
    { name: 'for others, with TLS', argv: [...tls, '--tls-hook-clients=envoy-gateway'] },
    { name: 'with TLS and URIs', argv: [...tls, '--tls-hook-clients=spiffe://edge/eg', '--tls-report-clients=a,b'] },
    { name: 'with a body as long as Envoy takes', argv: [...local, `--edit-offline-body=${'ü'.repeat(2_048)}`] },
    { name: 'with traces', argv: [...local, '--traces-endpoint=http://collector:4318'] },
  ])('$name are good', async ({ argv }) => expect(await problems(argv)).toEqual([]));

  it.each([
    {
      name: 'a port for others in the clear',
      argv: [...local, '--hook-listen=:5005'],
      want: /hook\.listen.*without tls/s,
    },
    {
      name: 'one among others',
      argv: [...local, '--report-listen=unix:/r,0.0.0.0:1'],
      want: /report\.listen.*without tls/s,
    },
    { name: 'the defaults without TLS', argv: required, want: /without tls/ },
    { name: 'TLS with a part missing', argv: [...required, '--tls-certificate=c'], want: /tls\.key is required/ },
    { name: 'TLS that lets in everyone', argv: tls, want: /tls\.hookClients is required/ },
    { name: 'TLS that lets in nobody', argv: [...tls, '--tls-hook-clients='], want: /tls\.hookClients/ },
    { name: 'a wildcard', argv: [...tls, '--tls-hook-clients=*.example'], want: /without wildcard/ },
    { name: 'an address that is none', argv: [...local, '--hook-listen=5005'], want: /is none of host:port/ },
    {
      name: 'a body that Envoy refuses',
      argv: [...local, `--edit-offline-body=${'ü'.repeat(2_049)}`],
      want: /4096 bytes/,
    },
    { name: 'no class', argv: ['--hook-listen=127.0.0.1:1', '--report-listen=127.0.0.1:1'], want: /gatewayClasses/ },
  ])('$name is refused', async ({ argv, want }) => expect((await problems(argv)).join('\n')).toMatch(want));
});
