/** A server call whose answer may be a {@link Loan}. */
import { Metadata, type Responder, ServerInterceptingCall, type ServerInterceptingCallInterface } from '@grpc/grpc-js';
import { streamOf } from './http2-stream.ts';
import { Loan } from './loan.ts';

/** No compression, then the length of the message. */
function prefixOf({ length }: Buffer): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(length, 1);
  return prefix;
}

/**
 * Sends the bytes of a loan as they stand, where grpc-js copies each message behind its prefix, and ends the loan once they went out. When
 * they do not, the loan is never ended: the kernel may still be reading them. Whatever else is sent goes the usual way.
 *
 * Whoever lends sees to the limit of messages that are sent.
 * @see https://github.com/grpc/grpc/blob/v1.76.0/doc/PROTOCOL-HTTP2.md (Length-Prefixed-Message)
 */
export class LendingCall extends ServerInterceptingCall {
  readonly #stream: ReturnType<typeof streamOf>;

  constructor(call: ServerInterceptingCallInterface, responder?: Responder) {
    super(call, responder);
    this.#stream = streamOf(call);
  }

  override sendMessage(message: unknown, sent: () => void): void {
    if (!(message instanceof Loan)) return super.sendMessage(message, sent);
    const stream = this.#stream;
    if (stream.destroyed || stream.closed) return;
    this.sendMetadata(new Metadata());
    stream.cork();
    stream.write(prefixOf(message.bytes));
    stream.write(message.bytes, (error) => {
      // A stream that fails is over: there is nobody to tell.
      if (error) return;
      message.end();
      sent();
    });
    stream.uncork();
  }
}
