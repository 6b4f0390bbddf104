/** Settings that the apps of an edge have in common. */
import { annotations, defaultPorts, labels, reachesHook } from '@lifeline/core';
import { z } from 'zod';

const port = z.number().int().min(1).max(65_535);

/** What an index reads, and what of it is stamped. */
export const indexSettings = {
  kubeconfig: z.string().optional().describe('kubeconfig of the edge; in-cluster when left out'),
  gatewayClasses: z
    .array(z.string().min(1))
    .min(1)
    .describe('classes of the Gateways that are ours to have translated again'),
  namespaceLabel: z
    .string()
    .min(1)
    .default(labels.upstreamNamespace)
    .describe('only Gateways in namespaces with this label are stamped'),
  stampAnnotation: z
    .string()
    .min(1)
    .default(annotations.intent)
    .describe('annotation of the stamp; Envoy Gateway looks only at those under gateway.envoyproxy.io/'),
  sharedNodeIds: z
    .enum(['allow', 'refuse'])
    .default('allow')
    .describe('what becomes of two projects whose connectors name one node: both are online, or the older one'),
};

/** How the reports of extension servers are found and read. */
export const reportSettings = z.strictObject({
  service: z
    .string()
    .regex(/^[^/\s]+\/[^/\s]+$/, 'want namespace/name')
    .optional()
    .describe('headless Service of the extension servers, as namespace/name'),
  port: port.default(defaultPorts.report).describe('their report port'),
  addresses: z
    .array(z.string().min(1))
    .default([])
    .describe('host:port or unix:/path of extension servers, beside or instead of the Service'),
  certificate: z.string().optional().describe('file of our certificate, for servers that are not on this machine'),
  key: z.string().optional().describe('file of its key'),
  authority: z.string().optional().describe('file of the authorities that their certificates are checked against'),
  serverName: z.string().optional().describe('name in their certificates, when they are reached by address'),
  envoyGatewayMetrics: z
    .array(z.url({ protocol: /^https?$/ }))
    .default([])
    .describe('URLs of the metrics of Envoy Gateway processes, to hear of answers that it or an Envoy refused'),
});
export type ReportSettings = z.infer<typeof reportSettings>;

/** What to say at the start of settings that are allowed and surely not meant. */
export function indexWarnings({ stampAnnotation }: { readonly stampAnnotation: string }): readonly string[] {
  if (reachesHook(stampAnnotation)) return [];
  return [
    `stampAnnotation ${stampAnnotation} is not under gateway.envoyproxy.io/: Envoy Gateway does not call the hook when it changes, and no stamp has any effect`,
  ];
}
