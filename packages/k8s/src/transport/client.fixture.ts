/** A transport over real sockets whose clock stands still until a test moves it. */
import {
  readAll,
  type Transport,
  type TransportOptions,
  type TransportRequest,
  type TransportResponse,
} from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { filesOf } from '../testing/files.ts';
import { loopbackAuthority, until } from '../testing/loopback.ts';
import { createTransportFactory } from './create-transport.ts';
import type { Endpoint } from './endpoint.ts';
import type { Spawn } from './exec-process.ts';
import type { Log } from '../app/env.ts';

export interface ClientOptions extends Partial<Endpoint> {
  readonly files?: Record<string, string>;
  readonly spawn?: Spawn;
}

export interface Call extends Partial<Omit<TransportRequest, 'body'>>, Partial<TransportOptions> {
  readonly body?: string;
}

export interface TestClient extends AsyncDisposable {
  readonly clock: VirtualClock;
  readonly life: AbortController;
  readonly transport: Transport;
  readonly warnings: string[];
  /** Another endpoint of the same factory, of the same life. */
  at(endpoint: Partial<Endpoint>): TestClient;
  /** `path` is appended to the server. */
  call(path: string, call?: Call): Promise<TransportResponse>;
  /** A minute with a request every 20 s, so that no connection is idle long enough to be pinged (time moves, sockets do not). */
  busyMinute(): Promise<void>;
  /** The whole body. */
  text(path: string, call?: Call): Promise<string>;
}

/** Ends its life when disposed, and checks that no timer of it is left. */
export function clientOf(server: string, { files = {}, spawn, ...endpoint }: ClientOptions = {}): TestClient {
  const clock = new VirtualClock();
  const life = new AbortController();
  const warnings: string[] = [];
  const log = {
    warn: (fields: object, message: string) => void warnings.push(`${message} ${JSON.stringify(fields)}`),
  } as Log;
  const factory = createTransportFactory({ clock, files: filesOf(files), log, ...(spawn ? { spawn } : {}) });
  const bound = (own: Endpoint): TestClient => {
    const transport = factory(own, life.signal);
    const call = (path: string, { body, ...options }: Call = {}): Promise<TransportResponse> =>
      transport(
        {
          method: options.method ?? 'GET',
          url: options.url ?? `${own.server}${path}`,
          headers: options.headers ?? {},
          body: body === undefined ? undefined : new TextEncoder().encode(body),
        },
        { signal: options.signal ?? new AbortController().signal, admit: options.admit },
      );
    const client: TestClient = {
      clock,
      life,
      transport,
      warnings,
      at: (other) => bound({ ...own, ...other }),
      call,
      busyMinute: async () => {
        for (let third = 0; third < 3; third++) {
          await client.text('/');
          await clock.advance(20_000);
        }
      },
      text: async (path, options) => new TextDecoder().decode(await readAll((await call(path, options)).body)),
      [Symbol.asyncDispose]: async () => {
        life.abort(new Error('the test is over'));
        await until(() => clock.pending === 0);
      },
    };
    return client;
  };
  return bound({ server, tls: { ca: { inline: loopbackAuthority.certificate } }, ...endpoint });
}

/** What `work` rejects with. */
export const errorOf = (work: Promise<unknown>): Promise<Error & { readonly code?: string }> =>
  work.then(
    () => Promise.reject(new Error('it was expected to fail')),
    (error: unknown) => error as Error,
  );

export const codeOf = (error: unknown): string | undefined => (error as { code?: string }).code;

/** The next chunk as text; undefined at the end. */
export async function chunk({ body }: TransportResponse): Promise<string | undefined> {
  const { done, value } = await body[Symbol.asyncIterator]().next();
  return done ? undefined : new TextDecoder().decode(value);
}
