/** The values of `charts/edge-extension-server`. */
import { config } from '@lifeline/edge-extension-server';
import { z } from 'zod';
import {
  heapPercent,
  identityValues,
  kubernetesObject,
  podPort,
  podValues,
  serviceAccountValue,
  surroundingValues,
} from './common-values.ts';
import { certificateSecret, edgeRights, gatewayClasses, peers, secretName, withOpenGroups } from './edge-values.ts';

const { shape } = config;
const texts = z.record(z.string(), z.string()).default({}).describe('put on them');

export const extensionServerValues = z.strictObject({
  ...identityValues,
  replicas: z
    .number()
    .int()
    .min(2)
    .default(2)
    .describe('each answers the hook, without a leader. One alone would stop all translations while it restarts'),
  config: z
    .strictObject({
      ...withOpenGroups(shape),
      healthPort: podPort(shape.healthPort),
      metricsPort: podPort(shape.metricsPort),
      gatewayClasses,
    })
    .describe(
      'the settings of the app, in the very form in which it reads them: this is its configuration file. Paths of certificates, and where the reports of the other replicas are, are filled in when they are left out. Needed in any case: gatewayClasses, tls.hookClients',
    ),
  certificates: z
    .strictObject({
      server: certificateSecret(
        'what the hook and the reports are served with, and what the reports of other replicas are read with: for servers and clients, with the name that config.reports.serverName says, by default SERVICE.NAMESPACE.svc of the hook; "authority" is who signs it',
      ),
      clients: z
        .strictObject({
          secret: secretName,
          authority: z.string().min(1).default('ca.crt').describe('which of its entries are the authorities'),
        })
        .describe(
          "the authorities whose client certificates are believed, the replicas' own with them; those of the server's Secret when no Secret is named",
        ),
    })
    .describe('Secrets are only named here, never given. They are followed: new ones need no restart'),
  rights: edgeRights,
  serviceAccount: serviceAccountValue,
  resources: kubernetesObject
    .default({ requests: { cpu: '500m', memory: '512Mi' }, limits: { memory: '1Gi' } })
    .describe(
      'as in a Container. Memory: the limit is eight times config.hook.messageLimitBytes at least. No limit on CPU: one that throttles it delays every tenant',
    ),
  heapPercent: heapPercent(50),
  ...podValues,
  services: z
    .strictObject({
      annotations: texts,
      labels: texts,
    })
    .describe('of the hook, and a headless one of reports and metrics'),
  ...surroundingValues,
  networkPolicy: surroundingValues.networkPolicy
    .extend({
      hookFrom: peers('who may call the hook, as "from" of an ingress rule: Envoy Gateway. Needed'),
      reportFrom: peers(
        'who may read the reports beside the other replicas, as "from" of an ingress rule: retranslators of their own',
      ),
    })
    .describe(
      'lets in probes, scrapes, the callers of the hook and readers of the reports, and out DNS, API servers and the other replicas, and nothing else',
    ),
  envoyProxy: z
    .strictObject({
      create: z.boolean().default(false).describe('whether it is made; another one of yours takes its bootstrap'),
      name: z.string().default('').describe("the release's name when empty"),
      namespace: z
        .string()
        .default('')
        .describe("Envoy Gateway's, where a GatewayClass names it; the release's when empty"),
      mergeGateways: z.boolean().default(false).describe('one Envoy for all Gateways of a class'),
      tunnelGateway: z
        .strictObject({
          host: z
            .string()
            .default('')
            .describe('required: IP address or host name, as seen from Envoy. It is spoken to in plain HTTP/2'),
          port: z.number().int().min(0).max(65_535).default(0).describe('required'),
        })
        .describe('what takes CONNECT for a node, and leads to it'),
    })
    .describe(
      'an EnvoyProxy whose bootstrap has the internal listener config.edit.internalListener, which leads into the tunnel',
    ),
});
