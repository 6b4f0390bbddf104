/** What is wrong with a Service. @see kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validateService */
import { isJsonObject, type JsonValue } from '@lifeline/core';
import type { Cause } from '../../../api-error.ts';
import { label1123Problems, subdomainProblems } from '../../../dns-syntax.ts';
import { choiceFlaws, duplicate, forbidden, invalidValue, required, syntaxFlaws } from '../../../field-error.ts';
import { labelKeyProblems, labelValueProblems } from '../../../label-syntax.ts';
import type { StoredObject, StrategyContext } from '../../resource.ts';
import { addressFlaws, endpointFlaws } from '../ip-address.ts';
import { portNumberFlaws, protocolFlaws } from '../port.ts';
import { refusalOf } from './allocate.ts';
import { familyFlaws } from './ip-families.ts';
import {
  isHeadless,
  isReachedFromOutside,
  needsClusterIP,
  type ServicePort,
  type ServiceSpec,
  specOf,
} from './spec.ts';

export function serviceFlaws(
  next: StoredObject,
  old: StoredObject | undefined,
  context: StrategyContext,
): readonly Cause[] {
  const spec = specOf(next);
  if (context.subresource === 'status') return statusFlaws(next['status'], spec);
  const foreign = familyFlaws(spec);
  if (foreign.length > 0) return foreign;
  const flaws = [...(old ? movedFlaws(spec, specOf(old)) : []), ...specFlaws(spec)];
  // Only what is right in itself is asked for.
  return flaws.length > 0 ? flaws : refusedFlaws(next, old, context);
}

function specFlaws(spec: ServiceSpec): readonly Cause[] {
  const { ports = [], type = '' } = spec;
  return [
    ...(ports.length === 0 && !isHeadless(spec) && needsClusterIP(spec) ? [required('spec.ports')] : []),
    ...typeFlaws(spec),
    ...ports.flatMap((port, index) => portFlaws(port, index, ports)),
    ...Object.entries(spec.selector ?? {}).flatMap(([key, value]) => selectorFlaws(key, value)),
    ...choiceFlaws('spec.sessionAffinity', spec.sessionAffinity, ['ClientIP', 'None']),
    ...addressesFlaws(spec),
    ...(spec.externalIPs ?? []).flatMap((address, index) => {
      const path = `spec.externalIPs[${index}]`;
      const broken = addressFlaws(path, address);
      return broken.length > 0 ? broken : endpointFlaws(path, address);
    }),
    ...choiceFlaws('spec.type', type, ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']),
    ...(type === 'ClusterIP'
      ? ports.flatMap(({ nodePort }, index) =>
          nodePort ? [forbidden(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'")] : [],
        )
      : []),
    ...repeatedNodePorts(ports),
    ...repeatedPorts(ports),
    ...trafficFlaws(spec),
  ];
}

function typeFlaws(spec: ServiceSpec): readonly Cause[] {
  const { type = '', clusterIPs = [], externalName = '' } = spec;
  if (type === 'LoadBalancer' || type === 'NodePort') {
    const detail = `may not be set to 'None' for ${type} services`;
    return isHeadless(spec) ? [invalidValue('spec.clusterIPs[0]', 'None', detail)] : [];
  }
  if (type !== 'ExternalName') return [];
  const unwanted = {
    clusterIPs: clusterIPs.length > 0,
    ipFamilies: spec.ipFamilies,
    ipFamilyPolicy: spec.ipFamilyPolicy,
  };
  const name = externalName.replace(/\.$/, '');
  return [
    ...Object.entries(unwanted).flatMap(([field, set]) =>
      set ? [forbidden(`spec.${field}`, 'may not be set for ExternalName services')] : [],
    ),
    ...(name === '' ? [required('spec.externalName')] : syntaxFlaws('spec.externalName', name, subdomainProblems)),
  ];
}

function portFlaws(port: ServicePort, index: number, ports: readonly ServicePort[]): readonly Cause[] {
  const path = `spec.ports[${index}]`;
  const { name = '', protocol = '', appProtocol } = port;
  const twice = name !== '' && ports.findIndex((other) => other.name === name) < index;
  return [
    ...(name === '' && ports.length > 1 ? [required(`${path}.name`)] : []),
    ...(name === '' ? [] : syntaxFlaws(`${path}.name`, name, label1123Problems)),
    ...(twice ? [duplicate(`${path}.name`, name)] : []),
    ...portNumberFlaws(`${path}.port`, port.port),
    ...protocolFlaws(`${path}.protocol`, protocol),
    ...(typeof port.targetPort === 'number'
      ? portNumberFlaws(`${path}.targetPort`, port.targetPort)
      : syntaxFlaws(`${path}.targetPort`, port.targetPort, portNameProblems)),
    ...syntaxFlaws(`${path}.appProtocol`, appProtocol, labelKeyProblems),
  ];
}

/** @see RFC 6335, section 5.1 */
function portNameProblems(name: string): readonly string[] {
  const problems: string[] = [];
  if (name.length > 15) problems.push('must be no more than 15 characters');
  if (!/^[-a-z0-9]+$/.test(name))
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(name)) problems.push('must contain at least one letter (a-z)');
  if (name.includes('--')) problems.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) problems.push('must not begin or end with a hyphen');
  return problems;
}

const selectorFlaws = (key: string, value: string): readonly Cause[] => [
  ...syntaxFlaws('spec.selector', key, labelKeyProblems),
  ...syntaxFlaws('spec.selector', value, labelValueProblems),
];

function addressesFlaws(spec: ServiceSpec): readonly Cause[] {
  if (!needsClusterIP(spec)) return [];
  const { clusterIP = '', clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec;
  const path = 'spec.clusterIPs';
  const flaws: Cause[] = [];
  if (clusterIP !== '' && clusterIPs[0] !== clusterIP) {
    flaws.push(invalidValue(path, clusterIPs, 'first value must match `clusterIP`'));
  } else if (clusterIP === '' && clusterIPs.length > 0) {
    flaws.push(invalidValue(path, clusterIPs, 'must be empty when `clusterIP` is not specified'));
  }
  ipFamilies.forEach((family, index) => {
    const field = `spec.ipFamilies[${index}]`;
    flaws.push(...choiceFlaws(field, family, ['IPv4', 'IPv6']));
    if (ipFamilies.indexOf(family) < index) flaws.push(duplicate(field, family));
  });
  flaws.push(
    ...choiceFlaws('spec.ipFamilyPolicy', ipFamilyPolicy, ['PreferDualStack', 'RequireDualStack', 'SingleStack']),
  );
  clusterIPs.forEach((address, index) => {
    if (!(index === 0 && address === 'None')) flaws.push(...addressFlaws(`${path}[${index}]`, address));
    else if (clusterIPs.length > 1)
      flaws.push(invalidValue(path, clusterIPs, "'None' must be the first and only value"));
  });
  if (clusterIPs.length > 2) flaws.push(invalidValue(path, clusterIPs, 'may only hold up to 2 values'));
  return flaws;
}

function repeatedNodePorts(ports: readonly ServicePort[]): readonly Cause[] {
  return ports.flatMap(({ nodePort, protocol }, index) => {
    const first = ports.findIndex((port) => port.nodePort === nodePort && port.protocol === protocol);
    return nodePort && first < index ? [duplicate(`spec.ports[${index}].nodePort`, nodePort)] : [];
  });
}

function repeatedPorts(ports: readonly ServicePort[]): readonly Cause[] {
  return ports.flatMap(({ port, protocol }, index) => {
    if (ports.findIndex((other) => other.port === port && other.protocol === protocol) === index) return [];
    // The struct as Go prints it.
    const text = `{"Name":"","Protocol":"${protocol ?? ''}","AppProtocol":null,"Port":${port},"TargetPort":0,"NodePort":0}`;
    return [{ reason: 'FieldValueDuplicate', field: `spec.ports[${index}]`, message: `Duplicate value: ${text}` }];
  });
}

function trafficFlaws(spec: ServiceSpec): readonly Cause[] {
  const { externalTrafficPolicy: outside, internalTrafficPolicy: inside } = spec;
  const path = 'spec.externalTrafficPolicy';
  if (outside !== undefined && !isReachedFromOutside(spec)) {
    return [invalidValue(path, outside, 'may only be set for externally-accessible services')];
  }
  const policies = ['Cluster', 'Local'];
  return [...choiceFlaws(path, outside, policies), ...choiceFlaws('spec.internalTrafficPolicy', inside, policies)];
}

function movedFlaws(next: ServiceSpec, old: ServiceSpec): readonly Cause[] {
  if (!needsClusterIP(next) || !needsClusterIP(old) || (isHeadless(next) && isHeadless(old))) return [];
  const { clusterIPs: now = [] } = next;
  const path = 'spec.clusterIPs[0]';
  if (now.length === 0) return [invalidValue(path, null, 'primary clusterIP can not be unset')];
  return now[0] === old.clusterIPs?.[0] ? [] : [invalidValue(path, now, 'may not change once set')];
}

function refusedFlaws(
  next: StoredObject,
  old: StoredObject | undefined,
  { server }: StrategyContext,
): readonly Cause[] {
  const spec = specOf(next);
  const { clusterIP = '', clusterIPs = [] } = spec;
  if (!needsClusterIP(spec) || isHeadless(spec) || (old && specOf(old).clusterIP === clusterIP)) return [];
  const refusal = refusalOf(clusterIP, server, next);
  if (refusal === undefined) return [];
  return [invalidValue('spec.clusterIPs', clusterIPs, `failed to allocate IP ${clusterIP}: ${refusal}`)];
}

function statusFlaws(status: JsonValue | undefined, { type }: ServiceSpec): readonly Cause[] {
  const balancer = isJsonObject(status) && isJsonObject(status['loadBalancer']) ? status['loadBalancer'] : {};
  if (balancer['ingress'] === undefined || type === 'LoadBalancer') return [];
  return [forbidden('status.loadBalancer.ingress', "may only be used when `spec.type` is 'LoadBalancer'")];
}
