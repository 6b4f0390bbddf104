import type { TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { createAuthority } from '../testing/certificates.ts';
import { listenH2, listenTls, loopbackCertificate, until } from '../testing/loopback.ts';
import { chunk, clientOf, errorOf } from './client.fixture.ts';

const [oldAuthority, newAuthority] = [createAuthority('old'), createAuthority('new')];
const caFile = { tls: { ca: { file: '/ca.crt' } } };

describe('C42: certificates rotate under a running process', () => {
  it('a new authority is trusted within a minute; a running watch stays on its old connection', async () => {
    const files = { '/ca.crt': oldAuthority.certificate };
    await using server = await listenH2((request, response) => {
      response.write('.');
      if (!request.url.includes('watch')) response.end();
    }, loopbackCertificate(oldAuthority));
    await using client = clientOf(server.url, { files, ...caFile });
    const watch = await client.call('/?watch=true');
    await chunk(watch);

    server.server.setSecureContext(loopbackCertificate(newAuthority));
    files['/ca.crt'] = newAuthority.certificate;
    await client.busyMinute();
    expect(server.accepted()).toBe(1);
    await client.text('/');
    expect(server.accepted()).toBe(2);
    expect(server.sessions.size).toBe(2);

    await watch.body[Symbol.asyncIterator]().return?.();
    await until(() => server.sessions.size === 1);
  });

  it('a handshake that fails reads the files again at once', async () => {
    const files = { '/ca.crt': oldAuthority.certificate };
    await using server = await listenH2((_, response) => response.end('ok'), loopbackCertificate(oldAuthority));
    await using client = clientOf(server.url, { files, ...caFile });
    await client.text('/');
    server.server.setSecureContext(loopbackCertificate(newAuthority));
    for (const session of server.sessions) session.destroy();
    await until(() => server.sockets.size === 0);
    expect(await errorOf(client.text('/'))).toMatchObject({ code: 'tls-failed' });
    files['/ca.crt'] = newAuthority.certificate;
    expect(await client.text('/')).toBe('ok');
  });

  it.each([
    { name: 'empty', text: () => '' },
    { name: 'half a certificate', text: (pem: string) => pem.slice(0, pem.length / 2) },
    { name: 'one and a half', text: (pem: string) => pem + pem.slice(0, pem.length / 2) },
    { name: 'damaged', text: (pem: string) => pem.replace(/\n..../, '\nAAAA') },
    { name: 'gone', text: () => undefined },
  ])('a bundle that is $name keeps the old one, with a warning', async ({ text }) => {
    const files: Record<string, string | undefined> = { '/ca.crt': oldAuthority.certificate };
    await using server = await listenH2((_, response) => response.end('ok'), loopbackCertificate(oldAuthority));
    await using client = clientOf(server.url, { files: files as Record<string, string>, ...caFile });
    await client.text('/');
    files['/ca.crt'] = text(newAuthority.certificate);
    await client.busyMinute();
    expect(await client.text('/')).toBe('ok');
    expect(client.warnings).toEqual([
      expect.stringMatching(/cannot use the new certificates \(\/ca.crt\); keeping the old one/),
    ]);
    expect(server.accepted()).toBe(1);
    files['/ca.crt'] = `${oldAuthority.certificate}${newAuthority.certificate}`;
    server.server.setSecureContext(loopbackCertificate(newAuthority));
    await client.busyMinute();
    expect(await client.text('/')).toBe('ok');
    expect(server.accepted()).toBe(2);
  });

  it('the same content under a new name changes nothing', async () => {
    const files = { '/ca.crt': oldAuthority.certificate };
    await using server = await listenH2((_, response) => response.end('ok'), loopbackCertificate(oldAuthority));
    await using client = clientOf(server.url, { files, ...caFile });
    await client.text('/');
    files['/ca.crt'] = oldAuthority.certificate.repeat(1);
    await client.busyMinute();
    await client.text('/');
    expect(server.accepted()).toBe(1);
  });

  describe.each([
    { name: 'HTTP/2', listen: listenH2 as unknown as typeof listenTls },
    { name: 'HTTP/1.1', listen: listenTls },
  ])('client certificates over $name', ({ listen }) => {
    const mutual = () =>
      listen((request, response) => void response.end((request.socket as TLSSocket).getPeerCertificate().subject.CN), {
        ...loopbackCertificate(oldAuthority),
        ca: oldAuthority.certificate,
        requestCert: true,
        rejectUnauthorized: true,
      });
    const pair = (commonName: string) => oldAuthority.issue({ commonName, usages: ['client'] });
    const tls = {
      ca: { inline: oldAuthority.certificate },
      clientCertificate: { certificate: { file: '/c' }, key: { file: '/k' } },
    };

    it('a new pair is used within a minute; half of one is not', async () => {
      const [first, second] = [pair('first'), pair('second')];
      const files = { '/c': first.certificate, '/k': first.key };
      await using server = await mutual();
      await using client = clientOf(server.url, { files, tls });
      expect(await client.text('/')).toBe('first');
      files['/c'] = second.certificate;
      await client.busyMinute();
      expect(await client.text('/')).toBe('first');
      expect(client.warnings).toHaveLength(1);
      files['/k'] = second.key;
      await client.busyMinute();
      expect(await client.text('/')).toBe('second');
      await until(() => server.sockets.size === 1);
    });
  });

  it('no client certificate where one is needed: an error that is not retried as it is', async () => {
    await using server = await listenH2((_, response) => response.end('ok'), {
      ...loopbackCertificate(oldAuthority),
      ca: oldAuthority.certificate,
      requestCert: true,
      rejectUnauthorized: true,
    });
    await using client = clientOf(server.url, { tls: { ca: { inline: oldAuthority.certificate } } });
    expect(await errorOf(client.text('/'))).toMatchObject({ code: 'tls-failed' });
    expect(server.accepted()).toBe(1);
  });

  it('a 401 looks for a newer client certificate too', async () => {
    const [expired, fresh] = ['expired', 'fresh'].map((commonName) => oldAuthority.issue({ commonName }));
    const files = { '/c': expired?.certificate ?? '', '/k': expired?.key ?? '' };
    const seen: unknown[] = [];
    await using server = await listenTls(
      (request, response) => {
        const { CN } = (request.socket as TLSSocket).getPeerCertificate().subject;
        seen.push(CN);
        response.writeHead(CN === 'fresh' ? 200 : 401).end();
      },
      { ...loopbackCertificate(oldAuthority), ca: oldAuthority.certificate, requestCert: true },
    );
    await using client = clientOf(server.url, {
      files,
      tls: {
        ca: { inline: oldAuthority.certificate },
        clientCertificate: { certificate: { file: '/c' }, key: { file: '/k' } },
      },
    });
    expect((await client.call('/')).status).toBe(401);
    expect(seen).toEqual(['expired']);
    Object.assign(files, { '/c': fresh?.certificate, '/k': fresh?.key });
    expect((await client.call('/')).status).toBe(200);
    expect(seen).toEqual(['expired', 'expired', 'fresh']);
  });
});
