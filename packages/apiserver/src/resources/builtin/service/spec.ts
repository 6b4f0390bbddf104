/** The spec of a Service as it is decoded, and what follows from its type. */
import { isJsonObject, type JsonObject } from '@lifeline/core';
import type { StoredObject } from '../../resource.ts';

export interface ServicePort extends JsonObject {
  readonly name?: string;
  readonly protocol?: string;
  readonly appProtocol?: string;
  readonly port: number;
  readonly targetPort: number | string;
  readonly nodePort?: number;
}

export interface ServiceSpec extends JsonObject {
  readonly ports?: readonly ServicePort[];
  readonly selector?: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly clusterIP?: string;
  readonly clusterIPs?: readonly string[];
  readonly ipFamilies?: readonly string[];
  readonly ipFamilyPolicy?: string;
  readonly externalIPs?: readonly string[];
  readonly externalName?: string;
  readonly sessionAffinity?: string;
  readonly externalTrafficPolicy?: string;
  readonly internalTrafficPolicy?: string;
  readonly allocateLoadBalancerNodePorts?: boolean;
  readonly healthCheckNodePort?: number;
}

export const specOf = (service: StoredObject): ServiceSpec => (isJsonObject(service['spec']) ? service['spec'] : {});

export const needsClusterIP = ({ type }: ServiceSpec): boolean => type !== 'ExternalName';

export const isHeadless = ({ clusterIPs = [] }: ServiceSpec): boolean =>
  clusterIPs.length === 1 && clusterIPs[0] === 'None';

/** A type that has ports on nodes, whether or not they are wanted. */
export const hasNodePorts = ({ type }: ServiceSpec): boolean => type === 'NodePort' || type === 'LoadBalancer';

export const wantsNodePorts = (spec: ServiceSpec): boolean =>
  spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);

export const needsHealthCheck = (spec: ServiceSpec): boolean =>
  spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';

export const isReachedFromOutside = (spec: ServiceSpec): boolean =>
  hasNodePorts(spec) || (spec.type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0);
