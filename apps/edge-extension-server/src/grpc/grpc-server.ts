/** A gRPC server as this app runs it; it listens nowhere yet. */
import { type Metadata, Server, type ServerInterceptor } from '@grpc/grpc-js';
import type { ServerHttp2Stream } from 'node:http2';
import { type DurationMs, hookDefaults } from '@lifeline/core';
import { callerName } from './caller.ts';
import { streamOf, Windows } from './http2-stream.ts';
import { LendingCall } from './lending-call.ts';

/** A call whose headers have come. */
export interface Arrival {
  /** `/package.Service/Method`. */
  readonly path: string;
  readonly caller: string;
  readonly stream: ServerHttp2Stream;
  /** The very object that the handler of the call is given. */
  readonly metadata: Metadata;
}

export interface GrpcServerOptions {
  /** Both ways. Beyond it a call ends with RESOURCE_EXHAUSTED. */
  readonly messageLimitBytes: number;
  /** After its age a connection may finish its calls for so long. */
  readonly graceMs: DurationMs;
  /** Told of each call to a method that is served, before anything of its message is read. */
  readonly arrived?: ((arrival: Arrival) => void) | undefined;
}

/** Dead peers are noticed within 40 s, and callers come anew, to any replica, every ten minutes. */
export function createGrpcServer({ messageLimitBytes, graceMs, arrived }: GrpcServerOptions): Server {
  const windows = new Windows();
  const arrivals: ServerInterceptor = ({ path }, call) => {
    const stream = streamOf(call);
    windows.open(stream);
    const caller = callerName(call.getConnectionInfo().remoteAddress);
    return new LendingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, pass) => {
            arrived?.({ path, caller, stream, metadata });
            pass(metadata);
          },
        }),
    });
  };
  return new Server({
    interceptors: [arrivals],
    'grpc.max_receive_message_length': messageLimitBytes,
    'grpc.max_send_message_length': messageLimitBytes,
    'grpc.keepalive_time_ms': hookDefaults.keepaliveMs,
    'grpc.keepalive_timeout_ms': hookDefaults.keepaliveTimeoutMs,
    'grpc.max_connection_age_ms': hookDefaults.maxConnectionAgeMs,
    'grpc.max_connection_age_grace_ms': graceMs,
    'grpc.enable_channelz': 0,
  });
}
