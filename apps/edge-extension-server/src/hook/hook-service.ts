/** The extension service of Envoy Gateway, on a gRPC server. */
import { type Metadata, type sendUnaryData, type ServerUnaryCall, type ServiceDefinition, status } from '@grpc/grpc-js';
import { constants } from 'node:http2';
import { grpcServices } from '@lifeline/core';
import type { Arrival } from '../grpc/grpc-server.ts';
import { onStreamEnd } from '../grpc/http2-stream.ts';
import { freeMessage, Loan } from '../grpc/loan.ts';
import type { HookCall, Reply } from './hook-call.ts';
import type { HookErrorCode } from './hook-error.ts';
import type { Hook } from './hook.ts';
import { bufferOver } from '../wire/text.ts';
import { unchanged } from './unchanged.ts';

type Handler = (call: ServerUnaryCall<Buffer, Message>, answer: sendUnaryData<Message>) => void;

export interface HookService {
  readonly definition: ServiceDefinition;
  readonly implementation: Record<string, Handler>;
  /** Must be told of each call that arrives at the server. */
  arrived(arrival: Arrival): void;
}

const pathOf = (method: string): string => `/${grpcServices.hook}/${method}`;

/** Messages stay bytes: nothing of them is decoded that is not looked at. */
type Message = Buffer | Loan;

export function hookService(hook: Hook): HookService {
  const calls = new WeakMap<Metadata, HookCall>();
  const translate: Handler = ({ request, metadata }, answer) => {
    const reply: Reply = (result) => {
      if ('bytes' in result) return answer(null, new Loan(bufferOver(result.bytes), result.release));
      const { code, message } = result.error;
      answer({ code: codes[code], details: message });
    };
    calls.get(metadata)?.run(request, reply, () => freeMessage(request));
  };
  const implementation: Record<string, Handler> = { PostTranslateModify: translate };
  // They carry one object, which is field 1 of the request and of the answer.
  for (const method of ['Route', 'VirtualHost', 'HTTPListener', 'Cluster', 'Endpoints']) {
    implementation[`Post${method}Modify`] = ({ request }, answer) => answerUnchanged(request, answer);
  }
  return {
    definition: Object.fromEntries(Object.keys(implementation).map((method) => [method, methodOf(method)])),
    implementation,
    arrived({ path, caller, stream, metadata }) {
      if (path !== pathOf('PostTranslateModify')) return;
      const call = hook.begin(caller, () => stream.close(constants.NGHTTP2_CANCEL));
      call.traceparent = metadata.get('traceparent')[0]?.toString();
      calls.set(metadata, call);
      onStreamEnd(stream, (end) => {
        if (end.how === 'reset') call.ended('aborted');
        else call.ended(end.status === ok ? 'answered' : 'failed');
      });
    },
  };
}

const ok: number = status.OK;

const codes: Readonly<Record<HookErrorCode, status>> = {
  'invalid-argument': status.INVALID_ARGUMENT,
  'resource-exhausted': status.RESOURCE_EXHAUSTED,
  'deadline-exceeded': status.DEADLINE_EXCEEDED,
  internal: status.INTERNAL,
};

const methodOf = (method: string): ServiceDefinition[string] => ({
  path: pathOf(method),
  requestStream: false,
  responseStream: false,
  requestSerialize: bufferOver,
  requestDeserialize: bufferOver,
  responseSerialize: (message: Message) => (message instanceof Loan ? message.bytes : message),
  responseDeserialize: bufferOver,
});

function answerUnchanged(request: Buffer, answer: sendUnaryData<Message>): void {
  const bytes = unchanged(request);
  if (bytes) answer(null, bufferOver(bytes));
  else answer({ code: status.INVALID_ARGUMENT, details: 'the request cannot be read' });
}
