import { epochMs } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { createAuthority, filesOf, testEnv, type TestEnv } from '@lifeline/k8s/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FollowedCertificates } from './certificates.ts';
import type { Material } from './material.ts';

const authority = createAuthority();
const other = createAuthority('other');
const paths = { ca: '/ca/ca.crt', certificate: '/tls/tls.crt', key: '/tls/tls.key' };
const now = Date.UTC(2026);
const day = 86_400_000;

const issue = (days: number): { certificate: string; key: string } =>
  authority.issue({ commonName: 'server', notAfter: now + days * day });
const textsOf = (pair: { certificate: string; key: string }): Record<string, string> => ({
  [paths.ca]: authority.certificate,
  [paths.certificate]: pair.certificate,
  [paths.key]: pair.key,
});

describe('certificates', () => {
  const first = issue(90);
  let clock: VirtualClock;
  let life: AbortController;
  let env: TestEnv;
  let files: Record<string, string>;
  let hints: Map<string, () => void>;
  /** Called when a file has been read. */
  let onRead: (() => void) | undefined;
  let seen: Material[];
  let certificates: FollowedCertificates;
  let running: Promise<void>;

  beforeEach(async () => {
    clock = new VirtualClock({ startsAt: epochMs(now) });
    life = new AbortController();
    env = testEnv({ clock, signal: life.signal });
    files = textsOf(first);
    hints = new Map();
    onRead = undefined;
    const { read, list } = filesOf(files);
    certificates = await FollowedCertificates.load(
      paths,
      {
        ...env,
        files: {
          list,
          read: async (path, signal) => {
            const content = await read(path, signal);
            onRead?.();
            return content;
          },
        },
        watchFolder: (folder, changed) => {
          hints.set(folder, changed);
          return { [Symbol.dispose]: () => void hints.delete(folder) };
        },
      },
      life.signal,
    );
    seen = [];
    certificates.subscribe((material) => seen.push(material));
    running = certificates.run(life.signal);
  });
  afterEach(async () => {
    life.abort();
    await running;
    expect(clock.pending).toBe(0);
    expect(hints.size).toBe(0);
  });

  const complaints = (): number => env.lines.filter((line) => line.includes('keeping the old ones')).length;

  it('are read again within half a minute', async () => {
    Object.assign(files, textsOf(issue(180)));
    await clock.advance(31_000);
    expect(seen).toEqual([certificates.current]);
    expect(certificates.current.certificate).toBe(files[paths.certificate]);
  });

  it('are read at once when their folder changes', async () => {
    Object.assign(files, textsOf(issue(180)));
    hints.get('/tls')?.();
    await clock.advance(1_000);
    expect(seen).toHaveLength(1);
  });

  it('are read again when the folder changes while they are read', async () => {
    onRead = () => {
      onRead = undefined;
      Object.assign(files, textsOf(issue(180)));
      hints.get('/tls')?.();
    };
    hints.get('/ca')?.();
    await clock.advance(1_000);
    expect(seen).toEqual([]);
    await clock.advance(1_000);
    expect(seen).toHaveLength(1);
  });

  it('tell of nothing while they are as they were', async () => {
    await clock.advance(10 * 60_000);
    expect(seen).toEqual([]);
  });

  it.each([
    { what: 'a key of another certificate', change: { [paths.key]: issue(90).key } },
    { what: 'a certificate of another key', change: { [paths.certificate]: issue(90).certificate } },
    { what: 'half a certificate', change: { [paths.certificate]: first.certificate.slice(0, 300) } },
    { what: 'a certificate that cannot be read', change: { [paths.ca]: damaged(authority.certificate) } },
    { what: 'no authority', change: { [paths.ca]: '' } },
    { what: 'an expired pair', change: textsOf(issue(-1)) },
    {
      what: 'a pair of the future',
      change: textsOf(authority.issue({ commonName: 'server', notBefore: now + day })),
    },
  ])('are kept when the new ones are $what, which is said once', async ({ change }) => {
    Object.assign(files, change);
    await clock.advance(5 * 60_000);
    expect(seen).toEqual([]);
    expect(certificates.current.certificate).toBe(first.certificate);
    expect(complaints()).toBe(1);
    // And then they are whole.
    Object.assign(files, textsOf(issue(180)), { [paths.ca]: other.certificate });
    await clock.advance(31_000);
    expect(seen).toHaveLength(1);
    expect(seen[0]?.ca).toBe(other.certificate);
  });

  it('are kept when a file is missing', async () => {
    delete files[paths.key];
    await clock.advance(60_000);
    expect(seen).toEqual([]);
    expect(complaints()).toBe(1);
  });

  it('show when they expire', async () => {
    const expiry = async (): Promise<string[]> =>
      (await env.metrics.text()).split('\n').filter((line) => line.startsWith('lifeline_certificate_expiry_seconds{'));
    expect(await expiry()).toEqual([
      `lifeline_certificate_expiry_seconds{use="server"} ${(90 * day) / 1000}`,
      `lifeline_certificate_expiry_seconds{use="client-ca"} ${(Date.UTC(2100) - now) / 1000}`,
    ]);
    Object.assign(files, textsOf(issue(180)));
    await clock.advance(31_000);
    expect((await expiry())[0]).toBe(`lifeline_certificate_expiry_seconds{use="server"} ${(180 * day) / 1000 - 31}`);
  });
});

it.each([
  { what: 'a key of another certificate', files: { ...textsOf(issue(90)), [paths.key]: issue(90).key } },
  { what: 'no authority', files: { ...textsOf(issue(90)), [paths.ca]: 'none' } },
  { what: 'an expired pair', files: textsOf(issue(-1)) },
  { what: 'no files', files: { '/tls/x': '' } },
])('a server does not start with $what', async ({ files }) => {
  const { signal } = new AbortController();
  const env = testEnv({ clock: new VirtualClock({ startsAt: epochMs(now) }), signal });
  const loading = FollowedCertificates.load(paths, { ...env, files: filesOf(files) }, signal);
  await expect(loading).rejects.toThrow(/^(certificate|not-found): /);
});

/** The same PEM frame around other bytes. */
function damaged(pem: string): string {
  const [head, ...lines] = pem.trim().split('\n');
  return [head, ...lines.slice(0, -1).map((line) => line.replaceAll(/[A-M]/g, 'z')), lines.at(-1)].join('\n');
}
