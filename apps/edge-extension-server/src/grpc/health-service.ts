/** The health service of gRPC. @see grpc/grpc@v1.76.0 doc/health-checking.md */
import {
  type sendUnaryData,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceDefinition,
  status,
} from '@grpc/grpc-js';
import { Cursor } from '../wire/cursor.ts';
import { Writer } from '../wire/writer.ts';

/** Numbers of `HealthCheckResponse.ServingStatus`. */
const statuses = { serving: 1, notServing: 2, unknownService: 3 } as const;

/** grpc-js takes a message that is falsy for none. */
interface Asked {
  readonly service: string;
}

/** Serves or does not, for the server as a whole (`''`) and for the services that it is made with: all alike. */
export class HealthService {
  readonly definition: ServiceDefinition = { check: methodOf('Check', false), watch: methodOf('Watch', true) };
  readonly implementation = {
    check: ({ request }: ServerUnaryCall<Asked, number>, answer: sendUnaryData<number>): void => {
      const now = this.#statusOf(request.service);
      if (now !== statuses.unknownService) answer(null, now);
      else answer({ code: status.NOT_FOUND, details: `no service ${JSON.stringify(request.service)}` });
    },
    watch: (stream: ServerWritableStream<Asked, number>): void => {
      this.#watchers.add(stream);
      stream.once('cancelled', () => this.#watchers.delete(stream));
      stream.write(this.#statusOf(stream.request.service));
    },
  };
  readonly #services: ReadonlySet<string>;
  readonly #watchers = new Set<ServerWritableStream<Asked, number>>();
  #isServing = false;

  constructor(services: readonly string[]) {
    this.#services = new Set(['', ...services]);
  }

  get isServing(): boolean {
    return this.#isServing;
  }

  set(isServing: boolean): void {
    if (isServing === this.#isServing) return;
    this.#isServing = isServing;
    for (const watcher of this.#watchers)
      if (this.#services.has(watcher.request.service)) watcher.write(this.#statusOf(''));
  }

  /** Ends the streams of who watches: they would keep a server from stopping. */
  close(): void {
    this.set(false);
    for (const watcher of this.#watchers) watcher.end();
    this.#watchers.clear();
  }

  #statusOf(service: string): number {
    if (!this.#services.has(service)) return statuses.unknownService;
    return this.#isServing ? statuses.serving : statuses.notServing;
  }
}

/** The request has the service's name, the response the status, each as field 1. */
const methodOf = (name: string, responseStream: boolean): ServiceDefinition[string] => ({
  path: `/grpc.health.v1.Health/${name}`,
  requestStream: false,
  responseStream,
  requestSerialize: ({ service }: Asked) => written((writer) => writer.text(1, service)),
  requestDeserialize: (bytes): Asked => {
    const cursor = new Cursor(bytes);
    let service = '';
    while (cursor.next()) if (cursor.isBytes(1)) service = cursor.text();
    return { service };
  },
  responseSerialize: (now: number) => written((writer) => writer.uint(1, now)),
  responseDeserialize: (bytes) => {
    const cursor = new Cursor(bytes);
    let now = 0;
    while (cursor.next()) if (cursor.isVarint(1)) now = cursor.uint32();
    return now;
  },
});

function written(write: (writer: Writer) => void): Buffer {
  const writer = new Writer(64);
  write(writer);
  return Buffer.from(writer.written());
}
