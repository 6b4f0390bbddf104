import { Client, credentials } from '@grpc/grpc-js';
import { VirtualClock } from '@lifeline/core/testing';
import { programmedService, type ReportMessage, type ReportRow } from '@lifeline/edge';
import { testEnv, until } from '@lifeline/k8s/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGrpcServer } from '../grpc/grpc-server.ts';
import { GrpcPort } from '../grpc/grpc-port.ts';
import { ReportHub } from './report-hub.ts';
import { reportService } from './report-service.ts';

const rows = (count: number): ReportRow[] =>
  Array.from({ length: count }, (_, i) => ({
    namespace: 'ns',
    name: `g${i}`,
    stamp: '',
    intent: 'none',
    outcome: 'programmed',
    reason: '',
  }));

describe('the reports over gRPC', () => {
  const clock = new VirtualClock();
  let hub: ReportHub;
  let port: GrpcPort;
  beforeEach(async () => {
    hub = new ReportHub({ clock, replica: 'r1' });
    const server = createGrpcServer({ messageLimitBytes: 64 * 1024 * 1024, graceMs: 1_000 });
    const { definition, implementation } = reportService(hub);
    server.addService(definition, implementation);
    const { log } = testEnv({ clock, signal: new AbortController().signal });
    port = new GrpcPort({ server, addresses: [{ host: '127.0.0.1', port: 0 }], graceMs: 1_000, clock, log });
    await port.open();
  });
  afterEach(() => port.close());

  /** A stream, read to its end. */
  function watch(told: (message: ReportMessage) => void): { cancel: () => void; ended: Promise<unknown> } {
    const client = new Client(`127.0.0.1:${port.port}`, credentials.createInsecure());
    const { path, requestSerialize, responseDeserialize } = programmedService.watch;
    const stream = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, {});
    const ended = (async () => {
      for await (const message of stream as AsyncIterable<ReportMessage>) told(message);
    })()
      .catch((error: unknown) => error)
      .finally(() => client.close());
    return { cancel: () => stream.cancel(), ended };
  }

  it('are what this process is told, replay first', async () => {
    hub.begin('10.0.0.1').answered({ rows: rows(5_000), indexRevision: 3 });
    const told: ReportMessage[] = [];
    const { cancel, ended } = watch((message) => told.push(message));
    await until(() => told.length === 2);
    expect(told[0]).toMatchObject({
      at: 'call',
      replica: 'r1',
      phase: 'answered',
      indexRevision: 3,
      rows: rows(5_000),
    });
    expect(told[1]).toEqual({ at: 'synced', replica: 'r1', digestVersion: 1 });
    hub.begin('10.0.0.1').failed();
    await until(() => told.length === 4);
    expect(told[3]).toMatchObject({ phase: 'failed' });
    cancel();
    expect(await ended).toMatchObject({ code: 1 });
    await until(() => hub.watchers === 0);
  });

  it('end as unavailable when the server stops: there are others', async () => {
    const { ended } = watch((message) => {
      if (message.at === 'synced') hub.close();
    });
    expect(await ended).toMatchObject({ code: 14, details: 'the reports end here' });
  });
});
