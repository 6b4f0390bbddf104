/**
 * A rotated token or certificate authority is not read again; an hour after the start every answer is 401, for ever.
 * Source: kubernetes-client/javascript#317; sercand/kuberesolver#28; kubernetes-client/python#1768.
 * Cause:  files were read at the start; a 401 was an error like any other; a file half-written at the wrong moment replaced a good one.
 * Guard:  files are read again within a minute of use, and at once after a 401 or a failed handshake; what does not load keeps the old.
 */
import type { TLSSocket } from 'node:tls';
import { bodyOf, type TransportResponse } from '@lifeline/core';
import { createAuthority, listenH2, loopbackCertificate } from '@lifeline/k8s/testing';
import { expect, it } from 'vitest';
import { LoopbackWorld } from './loopback-world.ts';
import { minutes, seconds } from './world.ts';

const [oldAuthority, newAuthority] = [createAuthority('old'), createAuthority('new')];
const clients = createAuthority('clients');
const clientPair = (commonName: string) => clients.issue({ commonName, usages: ['client'] });

const kubeconfig = (server: string): string =>
  JSON.stringify({
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server, 'certificate-authority': '/tls/ca.crt' } }],
    users: [
      { name: 'u', user: { tokenFile: '/run/token', 'client-certificate': '/tls/c.crt', 'client-key': '/tls/c.key' } },
    ],
  });

const unauthorized = (): TransportResponse => ({
  status: 401,
  headers: { 'content-type': 'application/json' },
  body: bodyOf(
    new TextEncoder().encode(
      JSON.stringify({ apiVersion: 'v1', kind: 'Status', status: 'Failure', code: 401, reason: 'Unauthorized' }),
    ),
  ),
});

interface Seen {
  readonly at: number;
  readonly token: string;
  readonly client: string;
  readonly accepted: boolean;
}

it('C42: tokens, authorities and client certificates are exchanged under the running app', async () => {
  const world = new LoopbackWorld();
  const first = clientPair('first');
  Object.assign(world.files, {
    '/run/token': 't1\n',
    '/tls/ca.crt': oldAuthority.certificate,
    '/tls/c.crt': first.certificate,
    '/tls/c.key': first.key,
  });
  let valid = ['t1'];
  const seen: Seen[] = [];
  const handler = world.handler({
    refuse: ({ headers, socket }) => {
      const token = (headers.authorization ?? '').replace('Bearer ', '');
      const client = String((socket as TLSSocket).getPeerCertificate().subject.CN);
      const accepted = valid.includes(token);
      seen.push({ at: world.clock.monotonic(), token, client, accepted });
      return accepted ? undefined : unauthorized();
    },
  });
  await using listening = await listenH2(handler as never, {
    ...loopbackCertificate(oldAuthority),
    ca: clients.certificate,
    requestCert: true,
    rejectUnauthorized: true,
  });
  await using running = world;
  running.files['/sources/p1.kubeconfig'] = kubeconfig(listening.url);
  const since = (from: number): Seen[] => seen.filter(({ at }) => at >= from);
  const now = (): number => running.clock.monotonic();

  running.edit('conn-a', { v: '1' });
  running.start();
  await running.copied({ 'conn-a': { v: '1' } });

  // The token is exchanged ten minutes before the old one dies.
  await running.after(minutes(10));
  running.files['/run/token'] = 't2\n';
  valid = ['t1', 't2'];
  const swapped = now();
  await running.after(minutes(10));
  valid = ['t2'];
  running.plane.endWatches();
  running.edit('conn-a', { v: '2' });
  await running.copied({ 'conn-a': { v: '2' } });
  expect(since(0).filter(({ accepted }) => !accepted)).toEqual([]);
  expect(since(swapped + seconds(60)).map(({ token }) => token)).not.toContain('t1');
  expect(since(swapped + seconds(60)).length).toBeGreaterThan(0);

  // It dies early: the file has the next one only two minutes later.
  valid = ['t3'];
  running.plane.endWatches();
  const dead = now();
  await running.after(minutes(2));
  expect(since(dead).length).toBeGreaterThan(2);
  expect(since(dead).length).toBeLessThan(30);
  running.files['/run/token'] = 't3\n';
  running.edit('conn-a', { v: '3' });
  await running.after(minutes(1));
  await running.copied({ 'conn-a': { v: '3' } });

  // Half of a new authority and of a new client certificate: the old ones stay.
  const second = clientPair('second');
  running.files['/tls/ca.crt'] = newAuthority.certificate.slice(0, 300);
  running.files['/tls/c.crt'] = second.certificate;
  await running.after(minutes(2));
  running.plane.endWatches();
  running.edit('conn-a', { v: '4' });
  await running.copied({ 'conn-a': { v: '4' } });
  expect(new Set(seen.map(({ client }) => client))).toEqual(new Set(['first']));
  expect(running.logLines.filter((line) => line.includes('keeping the old one')).length).toBeGreaterThan(0);

  // All of it; and the server has its certificate from the new authority.
  running.files['/tls/ca.crt'] = newAuthority.certificate;
  running.files['/tls/c.key'] = second.key;
  listening.server.setSecureContext({ ...loopbackCertificate(newAuthority), ca: clients.certificate });
  for (const session of listening.sessions) session.destroy();
  running.edit('conn-a', { v: '5' });
  await running.after(minutes(1));
  await running.copied({ 'conn-a': { v: '5' } });
  expect(seen.at(-1)?.client).toBe('second');
  expect(running.target.writes.filter(({ verb }) => verb === 'delete')).toEqual([]);
});
