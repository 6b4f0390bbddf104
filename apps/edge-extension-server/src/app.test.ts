import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, connectivityState, credentials, status } from '@grpc/grpc-js';
import { service as healthService } from 'grpc-health-check';
import { annotations, Connector, Gateway, HTTPProxy, ConfigMap, labels, Namespace, seeded } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { programmedService, type ReportMessage } from '@lifeline/edge';
import {
  createAuthority,
  createScriptedApi,
  kubeconfig,
  Refusal,
  type ScriptedApi,
  testEnv,
  type TestEnv,
  until,
} from '@lifeline/k8s/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { app } from './app.ts';
import { config } from './config.ts';
import { recording } from '@lifeline/envoy-api/testing';

const namespace = 'ns-841212f2-474e-4546-b91d-b2a500f9ea95';
const bytes = (buffer: Buffer): Buffer => buffer;
const request = Buffer.from(recording('one-gateway-http'));

const authority = createAuthority();
const replica = authority.issue({ commonName: 'x', dnsNames: ['localhost', 'replica'], addresses: ['127.0.0.1'] });
const envoyGateway = authority.issue({ commonName: 'x', dnsNames: ['envoy-gateway'], usages: ['client'] });
const certificates = { 'tls/ca': authority.certificate, 'tls/crt': replica.certificate, 'tls/key': replica.key };
const tls = {
  ca: 'tls/ca',
  certificate: 'tls/crt',
  key: 'tls/key',
  hookClients: ['envoy-gateway'],
  reportClients: ['replica'],
};

/** The app on an edge in memory, with its ports on this machine. */
class Scene implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly api: ScriptedApi;
  readonly env: TestEnv;
  readonly #life = new AbortController();
  readonly #clients: Client[] = [];
  readonly #folder: string;
  running: Promise<void> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    const { clock } = this;
    this.api = createScriptedApi({
      clock,
      random: seeded('edge'),
      kinds: [Connector, HTTPProxy, Gateway, Namespace, ConfigMap],
    });
    const env = testEnv({
      clock,
      signal: this.#life.signal,
      planes: { 'https://edge.test': this.api },
      files: { kubeconfig: kubeconfig('https://edge.test'), ...certificates },
    });
    // Processes that start have names of their own.
    this.env = { ...env, random: seeded(folder) };
    this.api.put(Namespace, { metadata: { name: namespace, labels: { [labels.upstreamNamespace]: 'default' } } });
    this.api.put(Gateway, { metadata: { namespace, name: 'shop-api' }, spec: { gatewayClassName: 'edge' } });
    const backends = [{ endpoint: 'http://localhost:8080', connector: { name: 'laptop-7' } }];
    this.api.put(HTTPProxy, { metadata: { namespace, name: 'shop-api' }, spec: { rules: [{ backends }] } });
    this.online(true);
  }

  online(isOnline: boolean): void {
    const upstream = {
      conditions: [{ type: 'Ready', status: isOnline ? 'True' : 'False' }],
      connectionDetails: { type: 'PublicKey', publicKey: { id: 'a'.repeat(64) } },
    };
    this.api.put(Connector, {
      metadata: {
        namespace,
        name: 'laptop-7',
        annotations: { [annotations.upstreamStatus]: JSON.stringify(upstream) },
      },
      spec: { connectorClassName: 'tunnel' },
    });
  }

  start(settings: object = {}): void {
    const parsed = config.parse({
      kubeconfig: 'kubeconfig',
      gatewayClasses: ['edge'],
      hook: { listen: ['127.0.0.1:0', `unix:${this.socket}`] },
      report: { listen: ['127.0.0.1:0'] },
      edit: {},
      reports: {},
      ...settings,
    });
    this.running = app.start(this.env, parsed);
  }

  /** The API server answers nothing any more. */
  outage(active: boolean): void {
    this.api.blackhole(active);
    this.api.refuse = () => (active ? unavailable() : undefined);
  }

  get socket(): string {
    return join(this.#folder, 'hook.sock');
  }

  /** In order: report, hook, Unix socket. */
  listening(): string[] {
    return this.env.lines.flatMap((line) => {
      const { msg, address } = JSON.parse(line) as { msg: string; address?: string };
      return msg === 'listening' && address !== undefined ? [address] : [];
    });
  }

  /** Started, and ready. */
  async ready(): Promise<void> {
    await until(() => this.env.lines.some((line) => line.includes('"msg":"ready"')));
  }

  client(address: string, as?: { readonly certificate: string; readonly key: string }): Client {
    const proof = as
      ? credentials.createSsl(Buffer.from(authority.certificate), Buffer.from(as.key), Buffer.from(as.certificate))
      : credentials.createInsecure();
    const client = new Client(address.replace('*', 'localhost'), proof, { 'grpc.use_local_subchannel_pool': 1 });
    this.#clients.push(client);
    return client;
  }

  hookClient(): Client {
    return this.client(this.listening()[1] as string);
  }

  stop(): void {
    this.#life.abort(new Error('SIGTERM'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    for (const client of this.#clients) client.close();
    await this.running;
  }
}

const unavailable = (): Refusal => new Refusal({ code: 503, reason: 'ServiceUnavailable', message: 'later' });

const translate = (client: Client, message = request): Promise<Buffer | string> =>
  new Promise((resolve) =>
    client.makeUnaryRequest(
      '/envoygateway.extension.EnvoyGatewayExtension/PostTranslateModify',
      bytes,
      bytes,
      message,
      (error, answer) => resolve(error ? `${status[error.code]} ${error.details}` : (answer as Buffer)),
    ),
  );

function serving(client: Client, service = ''): Promise<string> {
  const { path, requestSerialize, responseDeserialize } = healthService['Check'] as NonNullable<
    (typeof healthService)[string]
  >;
  return new Promise((resolve) =>
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, { service }, (error, answer) =>
      resolve(error ? (status[error.code] ?? '') : (answer as { status: string }).status),
    ),
  );
}

const isOnline = (answer: Buffer | string): boolean => answer.includes('a'.repeat(64));
const isOffline = (answer: Buffer | string): boolean => answer.includes('Tunnel not online');

describe('the extension server', () => {
  let folder: Awaited<ReturnType<typeof mkdtempDisposable>>;
  let scene: Scene;
  beforeEach(async () => {
    folder = await mkdtempDisposable(join(tmpdir(), 'lifeline-hook-'));
    scene = new Scene(folder.path);
  });
  afterEach(async () => {
    await scene[Symbol.asyncDispose]();
    await folder.remove();
  });

  it('programs what its index holds, over TCP and over a Unix socket', async () => {
    scene.start();
    await scene.ready();
    expect(scene.listening()).toEqual([
      expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      `unix:${scene.socket}`,
    ]);
    expect(isOnline(await translate(scene.hookClient()))).toBe(true);
    scene.online(false);
    await scene.clock.settle();
    const answer = await translate(scene.client(`unix:${scene.socket}`));
    expect([isOnline(answer), isOffline(answer)]).toEqual([false, true]);
  });

  it('does not listen before the first full sync: nobody is told that all is offline', async () => {
    scene.api.refuse = ({ kind }) => (kind === HTTPProxy ? unavailable() : undefined);
    scene.start();
    await scene.clock.advance(60_000);
    expect(scene.listening()).toEqual([]);
    expect(scene.env.health.readyz().ok).toBe(false);
    expect(scene.env.health.livez().ok).toBe(true);
    scene.api.refuse = () => undefined;
    await scene.clock.advance(60_000);
    await scene.ready();
    expect(isOnline(await translate(scene.hookClient()))).toBe(true);
    expect(scene.env.health.readyz()).toMatchObject({ ok: true });
  });

  it('says over gRPC whether it serves, of the server and of the hook', async () => {
    scene.start();
    await scene.ready();
    const client = scene.hookClient();
    const services = ['', 'envoygateway.extension.EnvoyGatewayExtension', 'x'];
    expect(await Promise.all(services.map((service) => serving(client, service)))).toEqual([
      'SERVING',
      'SERVING',
      'NOT_FOUND',
    ]);
  });

  it('is not ready while a watch is silent, sends callers away, answers who comes all the same, and recovers', async () => {
    scene.start();
    await scene.ready();
    const before = scene.hookClient();
    await translate(before);
    const sentAway = (): number => scene.env.lines.filter((line) => line.includes('callers are sent away')).length;
    scene.outage(true);
    await scene.clock.advance(200_000);
    expect(scene.env.health.readyz().ok).toBe(false);
    expect(sentAway()).toBe(1);
    await until(() => before.getChannel().getConnectivityState(false) !== connectivityState.READY);
    const client = scene.hookClient();
    expect(await serving(client)).toBe('NOT_SERVING');
    expect(isOnline(await translate(client))).toBe(true);
    scene.outage(false);
    await scene.clock.advance(120_000);
    expect(scene.env.health.readyz().ok).toBe(true);
    expect(await serving(client)).toBe('SERVING');
  });

  it('reports what it answered on a port of its own, and on a page', async () => {
    scene.start({ withRetranslator: false });
    await scene.ready();
    const told: ReportMessage[] = [];
    const { path, requestSerialize, responseDeserialize } = programmedService.watch;
    const stream = scene
      .client(scene.listening()[0] as string)
      .makeServerStreamRequest(path, requestSerialize, responseDeserialize, {});
    stream.on('data', (message: ReportMessage) => told.push(message)).on('error', () => undefined);
    await until(() => told.length === 1);
    await translate(scene.hookClient());
    await until(() => told.length === 5);
    expect(told).toMatchObject([
      { at: 'synced' },
      { at: 'caller', caller: '127.0.0.1', connected: true },
      { at: 'call', phase: 'started', group: '' },
      { at: 'call', phase: 'started', group: expect.stringMatching(/^[0-9a-f]{16}$/) },
      {
        at: 'call',
        phase: 'answered',
        caller: '127.0.0.1',
        rows: [{ namespace, name: 'shop-api', outcome: 'programmed' }],
      },
    ]);
    const page = scene.env.health.pages.get('/debug/programmed')?.();
    expect(page).toMatchObject({ callers: [{ caller: '127.0.0.1', live: true }], rows: [{ name: 'shop-api' }] });
    expect(scene.api.writes).toHaveLength(4);
    stream.cancel();
  });

  it('stamps Gateways when it runs the retranslator', async () => {
    scene.start();
    await scene.ready();
    await translate(scene.hookClient());
    scene.online(false);
    await scene.clock.advance(2_000);
    const stamped = scene.api.get(Gateway, { namespace, name: 'shop-api' })?.metadata.annotations?.[annotations.intent];
    expect(stamped).toMatch(/^[0-9a-f]{16}$/);
  });

  it('stops in order: not serving, no new connections, the running call to its end, the reports after it', async () => {
    scene.start({ withRetranslator: false });
    await scene.ready();
    const client = scene.hookClient();
    const order: string[] = [];
    const { path, requestSerialize, responseDeserialize } = programmedService.watch;
    scene
      .client(scene.listening()[0] as string)
      .makeServerStreamRequest(path, requestSerialize, responseDeserialize, {})
      .on('data', (message: ReportMessage) => {
        // A call tells that it has started as soon as it is there, and again when it is known whom it is about.
        if (message.at === 'call' && message.group !== '') order.push(message.phase);
      })
      .on('error', ({ code }: { code: number }) => order.push(`reports ${status[code]}`));
    await translate(client);
    await until(() => order.length === 2);
    // A call that waits for the cache: its stamp is one that nobody ever wanted.
    const stamped = Buffer.from(recording('many-rules'));
    const running = translate(client, stamped);
    await until(() => order.length === 3);
    scene.stop();
    await until(() => !scene.env.health.readyz().ok);
    expect(await translate(scene.client(scene.listening()[1] as string))).toMatch(/^UNAVAILABLE/);
    await scene.clock.advance(100);
    expect(await running).toBeInstanceOf(Buffer);
    await scene.running;
    expect(scene.clock.pending).toBe(0);
    await until(() => order.length === 5);
    expect(order).toEqual(['started', 'answered', 'started', 'answered', 'reports UNAVAILABLE']);
    expect(scene.env.health.pages.size).toBe(0);
  });

  it('ends when it is asked to stop before it has begun', async () => {
    scene.api.blackhole(true);
    scene.start();
    await scene.clock.settle();
    scene.stop();
    await scene.running;
    expect(scene.listening()).toEqual([]);
  });

  it('does not start with certificates that it cannot use', async () => {
    scene.start({ tls: { certificate: 'c', key: 'k', ca: 'a', hookClients: ['envoy-gateway'] } });
    await expect(scene.running).rejects.toThrow('not-found');
    scene.running = undefined;
  });

  it('over TLS is called by Envoy Gateway alone, and its reports are read by other replicas alone', async () => {
    scene.start({ tls, hook: { listen: [':0'] }, report: { listen: [':0'] } });
    await scene.ready();
    const [report, hook] = scene.listening() as [string, string];
    expect(isOnline(await translate(scene.client(hook, envoyGateway)))).toBe(true);
    expect(await translate(scene.client(hook, replica))).toMatch(/^UNAVAILABLE/);
    expect(await translate(scene.client(hook))).toMatch(/^UNAVAILABLE/);
    expect(await serving(scene.client(report, envoyGateway))).toBe('UNAVAILABLE');

    await using other = new Scene(`${folder.path}/2`);
    const streams = async (state: string): Promise<boolean> =>
      (await other.env.metrics.text()).includes(`lifeline_report_streams{state="synced"} ${state}`);
    other.start({
      tls,
      hook: { listen: ['127.0.0.1:0'] },
      reports: {
        addresses: [report.replace('*', '127.0.0.1')],
        certificate: 'tls/crt',
        key: 'tls/key',
        authority: 'tls/ca',
      },
    });
    await other.ready();
    // Its own, and the other one's.
    let follows = false;
    await until(() => {
      void streams('2').then((is) => (follows ||= is));
      return follows;
    });
  });

  it('has reflection only when it is asked for', async () => {
    const reflected = (client: Client): Promise<unknown> =>
      new Promise((resolve) => {
        const stream = client.makeBidiStreamRequest(
          '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
          bytes,
          bytes,
        );
        stream.on('data', (answer: Buffer) => resolve(answer.toString('latin1')));
        stream.on('error', ({ code }: { code: number }) => resolve(status[code]));
        stream.end(Buffer.from([0x3a, 0]));
      });
    scene.start({ reflection: true });
    await scene.ready();
    const [report, hook] = scene.listening() as [string, string];
    expect(await reflected(scene.client(hook))).toContain('envoygateway.extension.EnvoyGatewayExtension');
    expect(await reflected(scene.client(report))).toContain('lifeline.edge.v1.Programmed');
    await using other = new Scene(`${folder.path}/2`);
    other.start({ hook: { listen: ['127.0.0.1:0'] } });
    await other.ready();
    for (const address of other.listening()) expect(await reflected(other.client(address))).toBe('UNIMPLEMENTED');
  });

  it('warns of a stamp that Envoy Gateway does not look at', async () => {
    scene.start({ stampAnnotation: 'example.com/x' });
    await scene.ready();
    expect(scene.env.lines.join('')).toContain('is not under gateway.envoyproxy.io/');
  });
});
