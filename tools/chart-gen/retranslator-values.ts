/** The values of `charts/edge-retranslator`. */
import { config } from '@lifeline/edge-retranslator';
import { z } from 'zod';
import {
  heapPercent,
  identityValues,
  kubernetesObject,
  podPort,
  podValues,
  serviceAccountValue,
  serviceValue,
  surroundingValues,
} from './common-values.ts';
import { certificateSecret, edgeRights, gatewayClasses } from './edge-values.ts';

const { shape } = config;

export const retranslatorValues = z.strictObject({
  ...identityValues,
  replicas: z.number().int().min(0).default(2).describe('all do the same, without a leader; 0 stops all stamps'),
  config: z
    .strictObject({
      ...shape,
      healthPort: podPort(shape.healthPort),
      metricsPort: podPort(shape.metricsPort),
      edge: z.strictObject({ ...shape.edge.shape, gatewayClasses }),
    })
    .describe(
      'the settings of the app, in the very form in which it reads them: this is its configuration file. Paths of the certificate are filled in from "certificates" below. Needed: edge.gatewayClasses; reports.service and reports.serverName',
    ),
  certificates: z
    .strictObject({
      client: certificateSecret(
        'what reports are read with; one of its names stands in config.tls.reportClients of the extension servers. "authority" is who signs theirs',
      ),
    })
    .describe('Secrets are only named here, never given. They are followed: new ones need no restart'),
  rights: edgeRights,
  serviceAccount: serviceAccountValue,
  resources: kubernetesObject
    .default({ requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: '1Gi' } })
    .describe('as in a Container'),
  heapPercent: heapPercent(70),
  ...podValues,
  service: serviceValue,
  ...surroundingValues,
  networkPolicy: surroundingValues.networkPolicy
    .extend({
      reportsTo: z
        .array(kubernetesObject)
        .default([
          {
            namespaceSelector: {},
            podSelector: { matchLabels: { 'app.kubernetes.io/name': 'edge-extension-server' } },
          },
        ])
        .describe('where the extension servers are, as "to" of an egress rule'),
    })
    .describe('lets in scrapes and probes, and out DNS, API servers and extension servers, and nothing else'),
});
