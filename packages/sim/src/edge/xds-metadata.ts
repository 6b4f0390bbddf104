/** The metadata in which Envoy Gateway says what a resource was made from. */
import { gatewayAnnotationPrefix, type JsonObject, type KubeObject, metadataNamespaces } from '@lifeline/core';
import type { Metadata } from './xds.ts';

/** Only annotations under Envoy Gateway's own prefix travel, without it. */
export function metadataOf(object: KubeObject, kind: string, sectionName?: string): Metadata {
  const { namespace = '', name } = object.metadata;
  const carried = Object.entries(object.metadata.annotations ?? {})
    .filter(([key]) => key.startsWith(gatewayAnnotationPrefix))
    .map(([key, value]) => [key.slice(gatewayAnnotationPrefix.length), value] as const);
  return resource({
    ...(carried.length > 0 && { annotations: Object.fromEntries(carried) }),
    kind,
    namespace,
    name,
    ...(sectionName !== undefined && { sectionName }),
  });
}

/** The metadata of one entry. */
export const resource = (entry: JsonObject): Metadata => ({
  filter_metadata: { [metadataNamespaces.envoyGateway]: { resources: [entry] } },
});
