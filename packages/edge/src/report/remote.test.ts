/** Reports of other processes over gRPC and TLS, on real sockets of this machine. */
import { Server, ServerCredentials, type ServerWritableStream, status } from '@grpc/grpc-js';
import { annotations, EndpointSlice, intentVersion } from '@lifeline/core';
import { createAuthority, filesOf, type KeyPair, until } from '@lifeline/k8s/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Edge } from '../index/edge.fixture.ts';
import { retranslation } from '../retranslator/retranslation.ts';
import { ToldReports } from '../retranslator/stamping.fixture.ts';
import { reportSettings, type ReportSettings } from '../settings.ts';
import type { ReportMessage } from './report.ts';
import { programmedService } from './service.ts';

const ours = createAuthority('ours');
const theirs = createAuthority('theirs');
const past = { notBefore: Date.UTC(2020), notAfter: Date.UTC(2021) };
const names = { commonName: 'x', dnsNames: ['extension-server'] };
const serverPair = ours.issue(names);
const clientPair = ours.issue({ commonName: 'x', dnsNames: ['retranslator'] });

const synced = (replica: string): ReportMessage => ({ at: 'synced', replica, digestVersion: intentVersion });

/** An extension server as far as its reports go: lets in who has a certificate of our authority. */
class Reporting implements AsyncDisposable {
  port = 0;
  readonly streams = new Set<ServerWritableStream<object, ReportMessage>>();
  opened = 0;
  readonly #replica: string;
  #server: Server | undefined;

  constructor(replica = 'r2') {
    this.#replica = replica;
  }

  async listen(pair: KeyPair = serverPair, port = 0): Promise<void> {
    const server = new Server();
    server.addService(programmedService, {
      watch: (stream: ServerWritableStream<object, ReportMessage>) => {
        this.opened++;
        this.streams.add(stream);
        stream.once('cancelled', () => this.streams.delete(stream));
        stream.write(synced(this.#replica));
      },
    });
    const bytes = (text: string): Buffer => Buffer.from(text);
    const pairs = [{ private_key: bytes(pair.key), cert_chain: bytes(pair.certificate) }];
    const credentials = ServerCredentials.createSsl(bytes(ours.certificate), pairs, true);
    this.port = await new Promise<number>((resolve, reject) =>
      server.bindAsync(`127.0.0.1:${port}`, credentials, (error, bound) => (error ? reject(error) : resolve(bound))),
    );
    this.#server = server;
  }

  say(message: ReportMessage): void {
    for (const stream of this.streams) stream.write(message);
  }

  /** As a process that ends in good order. */
  async close(): Promise<void> {
    for (const stream of this.streams) stream.emit('error', { code: status.UNAVAILABLE, details: 'goodbye' });
    this.streams.clear();
    await this[Symbol.asyncDispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#server?.forceShutdown();
    this.#server = undefined;
    return Promise.resolve();
  }
}

describe('reports of another process', () => {
  let edge: Edge;
  let parts: AsyncDisposableStack;
  beforeEach(() => {
    parts = new AsyncDisposableStack();
    edge = parts.use(new Edge());
  });
  afterEach(() => parts.disposeAsync());

  /** Follows these, with a certificate of its own. */
  function follow(
    reports: Partial<ReportSettings>,
    {
      own,
      pair = clientPair,
      authority = ours.certificate,
    }: { own?: ToldReports; pair?: KeyPair; authority?: string } = {},
  ): void {
    const paths = { certificate: '/tls/tls.crt', key: '/tls/tls.key', authority: '/ca/ca.crt' };
    const texts: Record<string, string> = {
      [paths.certificate]: pair.certificate,
      [paths.key]: pair.key,
      [paths.authority]: authority,
    };
    parts.use(
      retranslation({
        env: { ...edge.process.env, files: filesOf(texts) },
        index: edge.feed.index,
        edge: edge.provider,
        classes: ['edge'],
        stampAnnotation: annotations.intent,
        reports: reportSettings.parse({ serverName: 'extension-server', ...paths, ...reports }),
        own,
      }),
    );
  }

  const streams = async (state: string): Promise<string | undefined> =>
    (await edge.metric(`lifeline_report_streams{state="${state}"}`))[0]?.split(' ').at(-1);
  /** Waits for what sockets bring about. */
  async function becomes(state: string, count: number): Promise<void> {
    let seen = await streams(state);
    const look = async (): Promise<void> => void (seen = await streams(state));
    await until(() => (void look(), seen === String(count)));
  }
  const complaints = (): readonly string[] => edge.lines.filter((line) => line.includes('no reports: tries again'));
  const addressOf = ({ port }: Reporting): string => `127.0.0.1:${port}`;

  it('are followed, and again after it restarted, with other certificates', async () => {
    const server = parts.use(new Reporting());
    await server.listen();
    follow({ addresses: [addressOf(server)] });
    await edge.clock.settle();
    await becomes('synced', 1);
    await server.close();
    await becomes('synced', 0);
    // Nobody is there at first.
    expect(complaints()).toHaveLength(1);
    await edge.clock.advance(1_000);
    await until(() => complaints().length === 2);
    await server.listen(ours.issue(names), server.port);
    await edge.clock.advance(10_000);
    await becomes('synced', 1);
    expect(server.opened).toBe(2);
  });

  it.each([
    {
      what: 'a server of another name',
      pair: ours.issue({ commonName: 'x', dnsNames: ['envoy-gateway'] }),
      says: /altname|does not match/i,
    },
    { what: 'an expired server', pair: ours.issue({ ...names, ...past }), says: /expired/i },
    { what: 'a server of another authority', pair: theirs.issue(names), says: /self.signed|verify|issuer/i },
    { what: 'a certificate for clients only', pair: ours.issue({ ...names, usages: ['client'] }), says: /purpose/i },
  ])('$what is refused, which is said with its reason', async ({ pair, says }) => {
    const server = parts.use(new Reporting());
    await server.listen(pair);
    follow({ addresses: [addressOf(server)] });
    await edge.clock.settle();
    await until(() => complaints().length === 1);
    expect(complaints()[0]).toMatch(says);
    expect(server.opened).toBe(0);
  });

  it.each([
    { what: 'expired', pair: ours.issue({ commonName: 'x', ...past }) },
    { what: 'of another authority', pair: theirs.issue({ commonName: 'x' }) },
  ])('a certificate of ours that is $what is refused there, which is said here', async ({ pair }) => {
    const server = parts.use(new Reporting());
    await server.listen();
    follow({ addresses: [addressOf(server)] }, { pair });
    await edge.clock.settle();
    await until(() => complaints().length === 1);
    expect(server.opened).toBe(0);
  });

  it('in the clear only from this machine, and not with half of the settings', async () => {
    follow({ addresses: ['203.0.113.7:5006'], certificate: undefined, key: undefined, authority: undefined });
    await edge.clock.settle();
    await until(() => complaints().length === 1);
    expect(complaints()[0]).toContain('203.0.113.7:5006 is not on this machine');
  });

  it('our own address among those of the Service: this process is heard once', async () => {
    const self = parts.use(new Reporting('r1'));
    await self.listen();
    const own = new ToldReports();
    own.say(synced('r1'));
    edge.api.put(EndpointSlice, {
      metadata: { namespace: 'edge', name: 'servers-1', labels: { 'kubernetes.io/service-name': 'servers' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['127.0.0.1'], conditions: { ready: false } }],
    });
    follow({ service: 'edge/servers', port: self.port }, { own });
    await edge.clock.settle();
    await until(() => self.opened === 1);
    await becomes('synced', 1);
    await becomes('syncing', 0);
    await until(() => self.streams.size === 0);
    expect(complaints()).toEqual([]);
    await edge.clock.advance(29_000);
    expect(self.opened).toBe(1);
  });

  it('a server that leaves the Service is let go', async () => {
    const server = parts.use(new Reporting());
    await server.listen();
    const slice = (...endpoints: readonly { readonly addresses: string[] }[]): void =>
      void edge.api.put(EndpointSlice, {
        metadata: { namespace: 'edge', name: 'servers-1', labels: { 'kubernetes.io/service-name': 'servers' } },
        addressType: 'IPv4',
        endpoints: [...endpoints],
      });
    slice({ addresses: ['127.0.0.1'] });
    follow({ service: 'edge/servers', port: server.port });
    await edge.clock.settle();
    await becomes('synced', 1);
    slice();
    await edge.clock.settle();
    await until(() => server.streams.size === 0);
    expect(complaints()).toEqual([]);
  });
});
