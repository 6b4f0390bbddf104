/** The public reports about the size of what is asked, over a real socket with the limits of production. */
import { createHash } from 'node:crypto';
import { Client, credentials, status } from '@grpc/grpc-js';
import { annotations, edgeDefaults, grpcServices } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { testEnv } from '@lifeline/k8s/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scaledIndex, scaledRequest } from '../edit/scaled.fixture.ts';
import { defaultEditorSettings } from '../edit/settings.ts';
import { type ExtensionServer, extensionServer } from '../extension-server.ts';
import { createGrpcServer } from '../grpc/grpc-server.ts';
import { GrpcPort } from '../grpc/grpc-port.ts';
import { hookService } from './hook-service.ts';

const { messageLimitBytes } = edgeDefaults;
/** 6.7 MB. */
const fleet = 4_600;
/** Comparing megabytes element by element takes minutes. */
const digest = (answer: Buffer | string): string => createHash('sha256').update(answer).digest('hex');
const asIs = (bytes: Buffer): Buffer => bytes;

describe('the hook of a large fleet', () => {
  const controller = new AbortController();
  let app: ExtensionServer;
  let port: GrpcPort;
  let client: Client;
  beforeEach(async () => {
    const clock = new VirtualClock();
    const env = testEnv({ clock, signal: controller.signal });
    const settings = {
      edit: defaultEditorSettings,
      stampAnnotation: annotations.intent,
      hook: { listen: [], concurrency: 2, messageLimitBytes },
    };
    app = extensionServer({ env, index: scaledIndex(fleet), settings });
    const hooks = hookService(app.hook);
    const server = createGrpcServer({ messageLimitBytes, graceMs: 1_000, arrived: hooks.arrived });
    server.addService(hooks.definition, hooks.implementation);
    port = new GrpcPort({ ...env, server, addresses: [{ host: '127.0.0.1', port: 0 }], graceMs: 1_000 });
    await port.open();
    client = new Client(`127.0.0.1:${port.port}`, credentials.createInsecure(), {
      'grpc.max_receive_message_length': -1,
      'grpc.max_send_message_length': -1,
    });
  });
  afterEach(async () => {
    client.close();
    await port.close();
    app[Symbol.dispose]();
  });

  /** The answer, or the status and details. */
  const call = (request: Uint8Array): Promise<Buffer | string> =>
    new Promise((resolve) => {
      const path = `/${grpcServices.hook}/PostTranslateModify`;
      client.makeUnaryRequest(path, asIs, asIs, Buffer.from(request), (error, answer) =>
        resolve(error ? `${status[error.code]}: ${error.details}` : (answer as Buffer)),
      );
    });

  it('C54: takes what is far above the 4 MiB of gRPC, both ways, and says which limit a fleet has outgrown', async () => {
    const request = scaledRequest(fleet);
    expect(request.length).toBeGreaterThan(6_650_000);
    const answer = await call(request);
    expect(answer.length).toBeGreaterThan(request.length);

    const over = await call(Buffer.concat([request, Buffer.alloc(messageLimitBytes)]));
    expect(over).toMatch(/^RESOURCE_EXHAUSTED: .*67108864/);
    expect(digest(await call(request))).toBe(digest(answer));
  });

  it('C44: calls that run at once are answered as if each were alone', async () => {
    const requests = [fleet, 40, 400].map(scaledRequest);
    const alone: string[] = [];
    for (const request of requests) alone.push(digest(await call(request)));
    expect(new Set(alone).size).toBe(requests.length);
    const together = await Promise.all(requests.map(call));
    expect(together.map(digest)).toEqual(alone);
  });
});
