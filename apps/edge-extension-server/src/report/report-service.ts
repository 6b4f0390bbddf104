/** The reports on a gRPC server. */
import type { ServerWritableStream, ServiceDefinition } from '@grpc/grpc-js';
import { status } from '@grpc/grpc-js';
import { describeError, linkAbort } from '@lifeline/core';
import { programmedService, type ReportMessage, type ReportSource } from '@lifeline/edge';

type Stream = ServerWritableStream<object, ReportMessage>;

export interface ReportService {
  readonly definition: ServiceDefinition;
  readonly implementation: { readonly watch: (stream: Stream) => void };
}

/** Each stream goes as fast as its reader reads, and ends when the source ends. */
export const reportService = (source: ReportSource): ReportService => ({
  definition: programmedService,
  implementation: { watch: (stream) => void send(source, stream) },
});

async function send(source: ReportSource, stream: Stream): Promise<void> {
  using reader = linkAbort();
  stream.once('cancelled', () => reader.abort(new Error('the reader is gone')));
  try {
    for await (const message of source.watch(reader.signal)) await written(stream, message, reader.signal);
    // UNAVAILABLE: come again, here or elsewhere.
    stream.emit('error', { code: status.UNAVAILABLE, details: 'the reports end here' });
  } catch (error) {
    if (!reader.signal.aborted) stream.emit('error', { code: status.INTERNAL, details: describeError(error) });
  }
}

/** Resolves when the stream has taken it, or its reader is gone. */
function written(stream: Stream, message: ReportMessage, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      signal.removeEventListener('abort', done);
      resolve();
    };
    signal.addEventListener('abort', done, { once: true });
    stream.write(message, done);
  });
}
