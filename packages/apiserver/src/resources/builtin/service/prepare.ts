/** What a server fills in and carries over. @see kubernetes/kubernetes@v1.36.3 pkg/registry/core/service pkg/apis/core/v1/defaults.go */
import { deepEqual, type JsonObject } from '@lifeline/core';
import { type StoredObject, type StrategyContext, withFields } from '../../resource.ts';
import { allocated } from './allocate.ts';
import {
  hasNodePorts,
  isReachedFromOutside,
  needsClusterIP,
  needsHealthCheck,
  type ServicePort,
  type ServiceSpec,
  specOf,
} from './spec.ts';

export function prepareService(
  next: StoredObject,
  old: StoredObject | undefined,
  context: StrategyContext,
): StoredObject {
  if (old && context.subresource === 'status') return withFields(next, { spec: specOf(old) });
  const spec = specOf(next);
  if (!old) {
    const { clusterIP, clusterIPs = clusterIP ? [clusterIP] : undefined } = spec;
    return withFields(next, {
      spec: allocated(clusterIPs ? { ...spec, clusterIPs } : spec, context),
      status: { loadBalancer: {} },
    });
  }
  const status = spec.type === 'LoadBalancer' ? old['status'] : { ...(old['status'] as JsonObject), loadBalancer: {} };
  return withFields(next, { spec: allocated(carriedOver(spec, specOf(old)), context), status });
}

export const withServiceDefaults = (service: StoredObject): StoredObject =>
  withFields(service, { spec: withDefaults(specOf(service)) });

function withDefaults(spec: ServiceSpec): ServiceSpec {
  const { sessionAffinityConfig, internalTrafficPolicy, ...rest } = spec;
  const outside = isReachedFromOutside(spec) ? { externalTrafficPolicy: spec.externalTrafficPolicy ?? 'Cluster' } : {};
  const balanced = spec.type === 'LoadBalancer' ? { allocateLoadBalancerNodePorts: true } : {};
  const inside = internalTrafficPolicy ?? (needsClusterIP(spec) ? 'Cluster' : undefined);
  return {
    ...balanced,
    ...rest,
    ...outside,
    ...(spec.ports ? { ports: spec.ports.map(withTarget) } : {}),
    ...(inside === undefined ? {} : { internalTrafficPolicy: inside }),
    ...(spec.sessionAffinity === 'ClientIP'
      ? { sessionAffinityConfig: sessionAffinityConfig ?? { clientIP: { timeoutSeconds: 10_800 } } }
      : {}),
  };
}

const withTarget = (port: ServicePort): ServicePort =>
  port.targetPort === 0 || port.targetPort === '' ? { ...port, targetPort: port.port } : port;

/** What an update leaves out though it was given; and what its type has no use for and it has not changed is dropped. */
function carriedOver(next: ServiceSpec, old: ServiceSpec): ServiceSpec {
  const spec = withOldNodePorts(withOldAddresses(next, old), old);
  const drop = new Set<string>();
  const dropUnchanged = (field: string): void => {
    if (deepEqual(spec[field], old[field])) drop.add(field);
  };
  if (needsClusterIP(old) && !needsClusterIP(spec)) {
    for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) dropUnchanged(field);
    dropUnchanged('internalTrafficPolicy');
  }
  if (needsHealthCheck(old) && !needsHealthCheck(spec)) dropUnchanged('healthCheckNodePort');
  if (old.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') {
    for (const field of ['allocateLoadBalancerNodePorts', 'loadBalancerClass']) dropUnchanged(field);
  }
  if (isReachedFromOutside(old) && !isReachedFromOutside(spec)) dropUnchanged('externalTrafficPolicy');
  if (drop.size === 0) return spec;
  return Object.fromEntries(Object.entries(spec).filter(([field]) => !drop.has(field)));
}

/** `clusterIP` speaks for `clusterIPs` where only it was changed; a client that clears it gets it back. */
function withOldAddresses(next: ServiceSpec, old: ServiceSpec): ServiceSpec {
  if (!needsClusterIP(next) || !needsClusterIP(old)) return next;
  const { clusterIP = '', clusterIPs = [] } = next;
  if (clusterIP === '' && (clusterIPs.length === 0 || deepEqual(clusterIPs, old.clusterIPs))) {
    const { clusterIP: address, clusterIPs: addresses } = old;
    return address === undefined || addresses === undefined
      ? next
      : { ...next, clusterIP: address, clusterIPs: addresses, ...oldFamilies(next, old) };
  }
  const followed = clusterIP !== old.clusterIP && (clusterIPs.length === 0 || deepEqual(clusterIPs, old.clusterIPs));
  if (followed) return { ...next, clusterIPs: [clusterIP] };
  return clusterIPs.length === 0 && old.clusterIPs ? { ...next, clusterIPs: old.clusterIPs } : next;
}

function oldFamilies(next: ServiceSpec, old: ServiceSpec): Partial<ServiceSpec> {
  const { ipFamilies = next.ipFamilies, ipFamilyPolicy = next.ipFamilyPolicy } = old;
  return {
    ...(next.ipFamilies || !ipFamilies ? {} : { ipFamilies }),
    ...(next.ipFamilyPolicy || !ipFamilyPolicy ? {} : { ipFamilyPolicy }),
  };
}

/** By name; ports of a type that has none on nodes lose what they had. */
function withOldNodePorts(next: ServiceSpec, old: ServiceSpec): ServiceSpec {
  const { ports } = next;
  if (!ports || !hasNodePorts(old)) return next;
  const had = new Map((old.ports ?? []).map(({ name, nodePort }) => [name, nodePort]));
  if (!hasNodePorts(next)) {
    const same = ports.every(({ name, nodePort }) => nodePort === undefined || had.get(name) === nodePort);
    return same ? { ...next, ports: ports.map(({ nodePort: _, ...port }) => port as ServicePort) } : next;
  }
  const used = new Set(ports.map(({ nodePort }) => nodePort));
  return {
    ...next,
    ports: ports.map((port) => {
      const before = had.get(port.name);
      return port.nodePort || before === undefined || used.has(before) ? port : { ...port, nodePort: before };
    }),
  };
}
