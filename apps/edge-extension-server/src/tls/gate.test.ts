import type { AddressInfo } from 'node:net';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { createAuthority, type KeyPair } from '@lifeline/k8s/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '@lifeline/core/testing';
import { filesOf, testEnv } from '@lifeline/k8s/testing';
import { FollowedCertificates } from './certificates.ts';
import { createGate, type Gate } from './gate.ts';
import { parseAllowedName } from './subject-names.ts';

const ours = createAuthority('ours');
const theirs = createAuthority('theirs');
const serverNames = { commonName: 'server', dnsNames: ['localhost'] };
const envoyGateway = { commonName: 'x', dnsNames: ['envoy-gateway'] };
const paths = { ca: '/tls/ca.crt', certificate: '/tls/tls.crt', key: '/tls/tls.key' };

const filesFor = (authority: typeof ours, { certificate, key }: KeyPair): Record<string, string> => ({
  [paths.ca]: authority.certificate,
  [paths.certificate]: certificate,
  [paths.key]: key,
});

/** A gate on a real socket that greets whom it lets in. */
async function openGate(allowed: readonly string[]): Promise<{
  readonly port: number;
  readonly files: Record<string, string>;
  readonly greeted: TLSSocket[];
  readonly reloaded: () => Promise<void>;
  readonly lines: readonly string[];
  readonly close: () => Promise<void>;
}> {
  const clock = new VirtualClock();
  const life = new AbortController();
  const env = testEnv({ clock, signal: life.signal });
  const files = filesFor(ours, ours.issue(serverNames));
  const certificates = await FollowedCertificates.load(paths, { ...env, files: filesOf(files) }, life.signal);
  const following = certificates.run(life.signal);
  const greeted: TLSSocket[] = [];
  const gate: Gate = createGate({
    certificates,
    allowed: allowed.map(parseAllowedName),
    clock,
    log: env.log,
    accept: (socket) => {
      greeted.push(socket);
      socket.on('error', () => undefined);
      socket.end('hello');
    },
  });
  await new Promise<void>((resolve) => void gate.server.listen(0, '127.0.0.1', resolve));
  return {
    port: (gate.server.address() as AddressInfo).port,
    files,
    greeted,
    lines: env.lines,
    reloaded: () => clock.advance(31_000),
    close: async () => {
      life.abort();
      await following;
      gate[Symbol.dispose]();
      await new Promise<void>((resolve) => void gate.server.close(() => resolve()));
    },
  };
}

/** What a client is told: the greeting, or nothing. */
function greeting(port: number, options: ConnectionOptions): Promise<string> {
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect({
      port,
      host: '127.0.0.1',
      servername: 'localhost',
      ca: ours.certificate,
      ALPNProtocols: ['h2'],
      ...options,
    });
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => (heard += text));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(heard));
  });
}

const as = ({ certificate, key }: KeyPair): ConnectionOptions => ({ cert: certificate, key });

describe('the gate', () => {
  let gate: Awaited<ReturnType<typeof openGate>>;
  beforeEach(async () => (gate = await openGate(['envoy-gateway', 'spiffe://edge/envoy-gateway'])));
  afterEach(() => gate.close());

  it.each([
    { who: 'an allowed DNS name', options: as(ours.issue({ ...envoyGateway, usages: ['client'] })) },
    { who: 'an allowed URI', options: as(ours.issue({ commonName: 'x', uris: ['spiffe://edge/envoy-gateway'] })) },
    { who: 'an allowed name among others', options: as(ours.issue({ ...envoyGateway, uris: ['spiffe://edge/x'] })) },
  ])('lets in $who', async ({ options }) => {
    expect(await greeting(gate.port, options)).toBe('hello');
  });

  it.each([
    { who: 'nobody in particular', options: {} },
    { who: 'another name', options: as(ours.issue({ commonName: 'x', dnsNames: ['envoy'] })) },
    { who: 'another URI', options: as(ours.issue({ commonName: 'x', uris: ['spiffe://edge/envoy'] })) },
    { who: 'the allowed name as common name only', options: as(ours.issue({ commonName: 'envoy-gateway' })) },
    { who: 'the allowed name from another authority', options: as(theirs.issue(envoyGateway)) },
    { who: 'a certificate for servers only', options: as(ours.issue({ ...envoyGateway, usages: ['server'] })) },
    {
      who: 'an expired certificate',
      options: as(ours.issue({ ...envoyGateway, notBefore: Date.UTC(2020), notAfter: Date.UTC(2021) })),
    },
    {
      who: 'a certificate of the future',
      options: as(ours.issue({ ...envoyGateway, notBefore: Date.UTC(2098), notAfter: Date.UTC(2099) })),
    },
    { who: 'TLS 1.2', options: { ...as(ours.issue(envoyGateway)), maxVersion: 'TLSv1.2' as const } },
    { who: 'no HTTP/2', options: { ...as(ours.issue(envoyGateway)), ALPNProtocols: [] } },
    { who: 'HTTP/1.1', options: { ...as(ours.issue(envoyGateway)), ALPNProtocols: ['http/1.1'] } },
  ])('keeps out $who', async ({ options }) => {
    expect(await greeting(gate.port, options)).toBe('');
    expect(gate.greeted).toEqual([]);
  });

  it('says who was kept out and why', async () => {
    await greeting(gate.port, as(ours.issue({ commonName: 'x', dnsNames: ['envoy'] })));
    expect(gate.lines.join('')).toContain('none of its names is allowed: DNS:envoy');
  });

  it('resumes no session: each connection is judged anew', async () => {
    const sessions: Buffer[] = [];
    const options = as(ours.issue(envoyGateway));
    await new Promise<void>((resolve) => {
      const first = connect({
        port: gate.port,
        servername: 'localhost',
        ca: ours.certificate,
        ALPNProtocols: ['h2'],
        ...options,
      });
      first.on('session', (session) => sessions.push(session));
      first.resume().on('close', resolve);
    });
    for (const session of sessions) expect(await greeting(gate.port, { ...options, session })).toBe('hello');
    expect(await greeting(gate.port, options)).toBe('hello');
    expect(gate.greeted.map((socket) => socket.isSessionReused())).not.toContain(true);
  });

  it('believes the authorities of now, under the rules of before', async () => {
    const before = as(ours.issue(envoyGateway));
    const after = as(theirs.issue(envoyGateway));
    const trust = { ca: [ours.certificate, theirs.certificate] };
    Object.assign(gate.files, filesFor(theirs, theirs.issue(serverNames)));
    await gate.reloaded();
    expect(await greeting(gate.port, { ...before, ...trust })).toBe('');
    expect(await greeting(gate.port, { ...after, ...trust })).toBe('hello');
    expect(await greeting(gate.port, { ...after, ...trust, maxVersion: 'TLSv1.2' })).toBe('');
    expect(await greeting(gate.port, { ...trust })).toBe('');
    // It shows its own new certificate.
    expect(await greeting(gate.port, { ...after, ca: ours.certificate })).toBe('');
  });
});

it('lets nobody in where nobody is allowed', async () => {
  const gate = await openGate([]);
  expect(await greeting(gate.port, as(ours.issue(envoyGateway)))).toBe('');
  await gate.close();
});
