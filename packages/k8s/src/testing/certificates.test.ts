import { createSecureContext } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createAuthority } from './certificates.ts';

describe('createAuthority', () => {
  it('signs what Node reads back: names, usages, validity, chain', () => {
    const authority = createAuthority('root');
    const root = new X509Certificate(authority.certificate);
    const { certificate, key } = authority.issue({
      commonName: 'system:node:a',
      organizations: ['system:nodes', 'system:masters'],
      dnsNames: ['api.example', '*.api.example'],
      addresses: ['127.0.0.1', '::1', '2001:db8::7'],
      uris: ['spiffe://example/ns/a'],
      notBefore: Date.UTC(2030, 0, 2, 3, 4, 5),
      notAfter: Date.UTC(2051, 5, 7, 8, 9, 10),
    });
    const leaf = new X509Certificate(certificate);
    expect(leaf.subject.split('\n')).toEqual(['O=system:nodes', 'O=system:masters', 'CN=system:node:a']);
    expect(leaf.subjectAltName).toBe(
      'DNS:api.example, DNS:*.api.example, URI:spiffe://example/ns/a, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:2001:DB8:0:0:0:0:0:7',
    );
    expect(leaf.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
    expect([leaf.validFrom, leaf.validTo]).toEqual(['Jan  2 03:04:05 2030 GMT', 'Jun  7 08:09:10 2051 GMT']);
    expect([root.ca, leaf.ca]).toEqual([true, false]);
    expect([root.verify(root.publicKey), leaf.verify(root.publicKey), leaf.checkIssued(root)]).toEqual([
      true,
      true,
      true,
    ]);
    expect(leaf.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(() => createSecureContext({ ca: authority.certificate, cert: certificate, key })).not.toThrow();
  });

  it('is trusted by nobody else', () => {
    const [a, b] = [createAuthority('root'), createAuthority('root')];
    const leaf = new X509Certificate(a.issue({ commonName: 'x' }).certificate);
    expect(leaf.verify(new X509Certificate(b.certificate).publicKey)).toBe(false);
  });

  it('narrows usages and numbers its certificates', () => {
    const authority = createAuthority();
    const leaves = ['server', 'client'].map(
      (usage) =>
        new X509Certificate(authority.issue({ commonName: usage, usages: [usage as 'server' | 'client'] }).certificate),
    );
    expect(leaves.map(({ keyUsage }) => keyUsage)).toEqual([['1.3.6.1.5.5.7.3.1'], ['1.3.6.1.5.5.7.3.2']]);
    expect(leaves.map(({ serialNumber }) => serialNumber)).toEqual(['02', '03']);
  });
});
