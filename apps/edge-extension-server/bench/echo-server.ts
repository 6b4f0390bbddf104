/** The floor: a server that answers each hook call with the bytes that it was sent, as a process of its own. Says its port. */
import { Server, ServerCredentials, type UntypedHandleCall } from '@grpc/grpc-js';

const asIs = (bytes: Buffer): Buffer => bytes;
const echo: UntypedHandleCall = (call: { request: Buffer }, answer: (error: null, bytes: Buffer) => void) =>
  answer(null, call.request);

const server = new Server({ 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 });
server.addService(
  {
    echo: {
      path: '/envoygateway.extension.EnvoyGatewayExtension/PostTranslateModify',
      requestStream: false,
      responseStream: false,
      requestSerialize: asIs,
      requestDeserialize: asIs,
      responseSerialize: asIs,
      responseDeserialize: asIs,
    },
  },
  { echo },
);
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.send?.({ port });
});
