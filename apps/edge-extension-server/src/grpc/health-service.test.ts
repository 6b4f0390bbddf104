import { Client, credentials, Server, ServerCredentials } from '@grpc/grpc-js';
import { service } from 'grpc-health-check';
import { until } from '@lifeline/k8s/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HealthService } from './health-service.ts';

/** Held against another implementation's idea of the messages. */
describe('the health service', () => {
  let health: HealthService;
  let server: Server;
  let client: Client;
  beforeEach(async () => {
    health = new HealthService(['a.A']);
    server = new Server();
    server.addService(health.definition, health.implementation);
    const port = await new Promise<number>((resolve) =>
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (_error, bound) => resolve(bound)),
    );
    client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  });
  afterEach(() => {
    client.close();
    server.forceShutdown();
  });

  const check = (name: string): Promise<unknown> => {
    const { path, requestSerialize, responseDeserialize } = service['Check'] as NonNullable<(typeof service)[string]>;
    return new Promise((resolve) =>
      client.makeUnaryRequest(path, requestSerialize, responseDeserialize, { service: name }, (error, answer) =>
        resolve(error ? error.code : (answer as { status: string }).status),
      ),
    );
  };

  it('says whether it serves, of the server and of its services', async () => {
    expect(await Promise.all(['', 'a.A', 'b.B'].map(check))).toEqual(['NOT_SERVING', 'NOT_SERVING', 5]);
    health.set(true);
    expect(await Promise.all(['', 'a.A', 'b.B'].map(check))).toEqual(['SERVING', 'SERVING', 5]);
    health.set(false);
    expect(await check('')).toBe('NOT_SERVING');
  });

  it('tells who watches of each change, and ends with the server', async () => {
    const { path, requestSerialize, responseDeserialize } = service['Watch'] as NonNullable<(typeof service)[string]>;
    const told: Record<string, string[]> = {};
    let ended = 0;
    for (const name of ['a.A', 'b.B']) {
      const heard: string[] = [];
      told[name] = heard;
      client
        .makeServerStreamRequest(path, requestSerialize, responseDeserialize, { service: name })
        .on('data', ({ status }: { status: string }) => heard.push(status))
        .on('end', () => ended++);
    }
    await until(() => told['a.A']?.length === 1 && told['b.B']?.length === 1);
    health.set(true);
    health.set(true);
    await until(() => told['a.A']?.length === 2);
    health.close();
    await until(() => ended === 2);
    expect(told).toEqual({ 'a.A': ['NOT_SERVING', 'SERVING', 'NOT_SERVING'], 'b.B': ['SERVICE_UNKNOWN'] });
  });
});
