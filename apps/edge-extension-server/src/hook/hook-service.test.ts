import { Client, credentials, type Server, status } from '@grpc/grpc-js';
import { connect } from 'node:http2';
import { until } from '@lifeline/k8s/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGrpcServer } from '../grpc/grpc-server.ts';
import { GrpcPort } from '../grpc/grpc-port.ts';
import { HookScene, requestOf } from './editor.fixture.ts';
import { hookService } from './hook-service.ts';

const limit = 1024 * 1024;
const bytes = (buffer: Buffer): Buffer => buffer;
const service = 'envoygateway.extension.EnvoyGatewayExtension';

describe('the extension service over gRPC', () => {
  let on: HookScene;
  let server: Server;
  let port: GrpcPort;
  let client: Client;
  beforeEach(async () => {
    on = new HookScene();
    const { definition, implementation, arrived } = hookService(on.hook);
    server = createGrpcServer({ messageLimitBytes: limit, graceMs: 1_000, arrived });
    server.addService(definition, implementation);
    port = new GrpcPort({
      server,
      addresses: [{ host: '127.0.0.1', port: 0 }],
      graceMs: 1_000,
      clock: on.clock,
      log: on.env.log,
      connected: (caller) => on.reports.connected(caller),
    });
    await port.open();
    client = new Client(`127.0.0.1:${port.port}`, credentials.createInsecure());
  });
  afterEach(async () => {
    client.close();
    await port.close();
    on[Symbol.dispose]();
  });

  /** The answer, or the status and details. */
  const call = (method: string, request: Buffer): Promise<Buffer | string> =>
    new Promise((resolve) =>
      client.makeUnaryRequest(`/${service}/${method}`, bytes, bytes, request, (error, answer) =>
        resolve(error ? `${status[error.code]}: ${error.details}` : (answer as Buffer)),
      ),
    );
  const outcomes = (): unknown[] => on.logged().map(({ outcome }) => outcome);

  it('answers PostTranslateModify with the edit', async () => {
    const request = requestOf({ gateways: { 'ns/a': '' } });
    expect(await call('PostTranslateModify', request)).toEqual(request);
    await until(() => outcomes().length === 1);
    expect(outcomes()).toEqual(['answered']);
    expect(on.logged()[0]).toMatchObject({ caller: '127.0.0.1' });
  });

  it.each([
    { what: 'what cannot be read', request: Buffer.from('{'), want: 'INVALID_ARGUMENT: ' },
    { what: 'a fault of ours', request: requestOf({ fault: 'oops' }), want: 'INTERNAL: internal: oops' },
    { what: 'an edit without end', request: requestOf({ editMs: 6_000 }), want: 'DEADLINE_EXCEEDED: ' },
    {
      what: 'a request over the limit',
      request: requestOf({ padding: 'x'.repeat(limit) }),
      want: 'RESOURCE_EXHAUSTED: ',
    },
    { what: 'an answer over the limit', request: requestOf({ answerBytes: limit + 1 }), want: 'RESOURCE_EXHAUSTED: ' },
  ])('answers $what with $want, and reports it as failed', async ({ request, want }) => {
    expect(await call('PostTranslateModify', request)).toMatch(new RegExp(`^${want}`));
    await until(() => outcomes().length === 1);
    expect(outcomes()).toEqual(['failed']);
    expect([...(on.reports.callers.get('127.0.0.1')?.failures.values() ?? [])]).toMatchObject([{ phase: 'failed' }]);
    expect(await call('PostTranslateModify', requestOf({}))).toEqual(requestOf({}));
  });

  it('takes and gives messages up to the limit', async () => {
    const base = requestOf({ padding: '' }).length;
    const request = requestOf({ padding: 'x'.repeat(limit - base) });
    expect(request).toHaveLength(limit);
    expect(request.equals((await call('PostTranslateModify', request)) as Buffer)).toBe(true);
  });

  it('a caller that is gone before its answer is reported as aborted', async () => {
    const session = connect(`http://127.0.0.1:${port.port}`);
    const request = session.request({
      ':path': `/${service}/PostTranslateModify`,
      ':method': 'POST',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    request.on('error', () => undefined);
    const body = requestOf({ gateways: { 'ns/a': on.intentWhen('ns/a', false) } });
    const head = Buffer.alloc(5);
    head.writeUInt32BE(body.length, 1);
    request.end(Buffer.concat([head, body]));
    await until(() => on.hook.running === 1 && on.clock.pending === 2);
    session.destroy();
    await until(() => outcomes().length === 1);
    expect(outcomes()).toEqual(['aborted']);
    expect(on.editor.answers).toBe(0);
    expect(on.clock.pending).toBe(0);
  });

  it('an answer that nobody reads is cut off after 5 s', async () => {
    await call('PostTranslateModify', requestOf({}));
    const session = connect(`http://127.0.0.1:${port.port}`, { settings: { initialWindowSize: 0 } });
    const request = session.request({
      ':path': `/${service}/PostTranslateModify`,
      ':method': 'POST',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    request.on('error', () => undefined);
    const body = requestOf({ answerBytes: 100_000 });
    const head = Buffer.alloc(5);
    head.writeUInt32BE(body.length, 1);
    request.end(Buffer.concat([head, body]));
    await until(() => on.editor.answers === 2);
    await on.clock.advance(5_000);
    await until(() => outcomes().length === 2);
    expect(outcomes()).toEqual(['answered', 'aborted']);
    session.destroy();
  });

  it.each([
    'PostRouteModify',
    'PostVirtualHostModify',
    'PostHTTPListenerModify',
    'PostClusterModify',
    'PostEndpointsModify',
  ])('%s answers with the object as it came, without its context', async (method) => {
    // Field 1 twice, as a message may be written, around a context and an unknown field.
    const object = Buffer.from('0a03616263', 'hex');
    const context = Buffer.from('1202cafe', 'hex');
    const unknown = Buffer.from('f80105', 'hex');
    expect(await call(method, Buffer.concat([object, context, unknown, object]))).toEqual(
      Buffer.concat([object, object]),
    );
    expect(await call(method, Buffer.alloc(0))).toEqual(Buffer.alloc(0));
    expect(await call(method, Buffer.from('0a05', 'hex'))).toMatch(/^INVALID_ARGUMENT/);
    expect(on.logged()).toEqual([]);
  });

  it('knows no other method', async () => {
    expect(await call('PreTranslateModify', Buffer.alloc(0))).toMatch(/^UNIMPLEMENTED/);
  });

  it('tells of the connections of callers', async () => {
    await call('PostTranslateModify', requestOf({}));
    expect(on.reports.callers.get('127.0.0.1')?.connections).toBe(1);
    client.close();
    await until(() => on.reports.callers.get('127.0.0.1')?.connections === 0);
  });
});
