/** The reports of another process, over gRPC. */
import { Client, type ChannelCredentials, type ChannelOptions } from '@grpc/grpc-js';
import { hookDefaults } from '@lifeline/core';
import type { ReportMessage, ReportSource } from './report.ts';
import { programmedService } from './service.ts';

export interface RemoteReportsOptions {
  /** `host:port`, or `unix:/path`. */
  readonly address: string;
  /** Asked before each stream. */
  readonly credentials: (signal: AbortSignal) => Promise<ChannelCredentials>;
  /** The name in the server's certificate, when it is not the host. */
  readonly serverName?: string | undefined;
}

/** One connection per `watch`, closed with it: a stream that ends is opened anew, at whatever address the name has then. */
export function remoteReports({ address, credentials, serverName }: RemoteReportsOptions): ReportSource {
  const options: ChannelOptions = {
    'grpc.keepalive_time_ms': hookDefaults.keepaliveMs,
    'grpc.keepalive_timeout_ms': hookDefaults.keepaliveTimeoutMs,
    'grpc.keepalive_permit_without_calls': 1,
    'grpc.max_receive_message_length': -1,
    ...(serverName !== undefined && { 'grpc.ssl_target_name_override': serverName }),
  };
  const { path, requestSerialize, responseDeserialize } = programmedService.watch;
  return {
    name: address,
    async *watch(signal) {
      const client = new Client(address, await credentials(signal), options);
      const call = client.makeServerStreamRequest<object, ReportMessage | undefined>(
        path,
        requestSerialize,
        responseDeserialize,
        {},
      );
      const cancel = (): void => call.cancel();
      signal.addEventListener('abort', cancel, { once: true });
      if (signal.aborted) cancel();
      try {
        for await (const message of call as AsyncIterable<ReportMessage | undefined>) if (message) yield message;
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        signal.removeEventListener('abort', cancel);
        call.cancel();
        client.close();
      }
    },
  };
}
