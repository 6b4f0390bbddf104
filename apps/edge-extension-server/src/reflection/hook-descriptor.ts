import { type FileShape, writeDescriptor } from './descriptor-writer.ts';

const objects = {
  Route: 'route',
  VirtualHost: 'virtual_host',
  HTTPListener: 'listener',
  Cluster: 'cluster',
  Endpoints: 'load_assignment',
} as const;

const requestOf = (hook: string): string => `Post${hook}ModifyRequest`;
const answerOf = (hook: string): string => `Post${hook}ModifyResponse`;

const shape: FileShape = {
  name: 'lifeline/envoygateway-extension.proto',
  package: 'envoygateway.extension',
  messages: {
    ...Object.fromEntries(
      Object.entries(objects).flatMap(([hook, object]) => [
        [requestOf(hook), { [object]: 1, context: 2 }],
        [answerOf(hook), { [object]: 1 }],
      ]),
    ),
    [requestOf('Translate')]: { post_translate_context: 1, clusters: 2, secrets: 3, listeners: 4, routes: 5 },
    [answerOf('Translate')]: { clusters: 1, secrets: 2, listeners: 3, routes: 4 },
  },
  services: {
    EnvoyGatewayExtension: Object.fromEntries(
      [...Object.keys(objects), 'Translate'].map((hook) => [`Post${hook}Modify`, [requestOf(hook), answerOf(hook)]]),
    ),
  },
};

/** The hook's service, with Envoy's own messages as bytes: enough to see what is there and to call it. */
export const hookDescriptor = (): Uint8Array => writeDescriptor(shape);
