/**
 * The app's gRPC port and hook over an index that is full, as a process of its own. Says its port, and flips connectors when it is told
 * to. Argument: how many Gateways.
 */
import { annotations, edgeDefaults, hookDefaults, systemClock, systemRandom } from '@lifeline/core';
import { createLog, createMetrics } from '@lifeline/k8s';
import { extensionServer } from '../src/extension-server.ts';
import { growHeapByMessages } from '../src/heap-growth.ts';
import { GrpcPort } from '../src/grpc/grpc-port.ts';
import { createGrpcServer } from '../src/grpc/grpc-server.ts';
import { parseListenAddress } from '../src/grpc/listen-address.ts';
import { hookService } from '../src/hook/hook-service.ts';
import { defaultEditorSettings } from '../src/edit/settings.ts';
import type { ToServer } from './processes.ts';
import { scaledIndex, setConnector } from '../src/edit/scaled.fixture.ts';

growHeapByMessages();
const count = Number(process.argv[2]);
const loopback = '127.0.0.1:0';
const index = scaledIndex(count);
const env = {
  clock: systemClock,
  random: systemRandom,
  log: createLog({ clock: systemClock, write: () => undefined, level: 'info' }),
  metrics: createMetrics(),
};
const { messageLimitBytes } = edgeDefaults;
const { placeholderHost, internalListener, offlineBody, retryAfterSeconds } = defaultEditorSettings;
const server = extensionServer({
  env,
  index,
  settings: {
    edit: { placeholderHost, internalListener, offlineBody, retryAfterSeconds },
    stampAnnotation: annotations.intent,
    hook: { listen: [loopback], concurrency: 2, messageLimitBytes },
  },
});
const hooks = hookService(server.hook);
const graceMs = hookDefaults.callDeadlineMs;
const grpc = createGrpcServer({ messageLimitBytes, graceMs, arrived: (call) => hooks.arrived(call) });
grpc.addService(hooks.definition, hooks.implementation);
const port = new GrpcPort({ ...env, server: grpc, addresses: [parseListenAddress(loopback)], graceMs });
server.warmUp();
await port.open();
process.on('message', ({ flip, online }: ToServer) => {
  for (let i = 0; i < flip; i++) setConnector(index, i, online);
  process.send?.({ flipped: true });
});
process.send?.({ port: port.port });
