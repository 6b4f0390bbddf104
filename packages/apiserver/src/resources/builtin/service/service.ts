import { isJsonArray, isJsonObject } from '@lifeline/core';
import { label1123Problems } from '../../../dns-syntax.ts';
import type { Resource, StoredObject } from '../../resource.ts';
import { ageCell, ageColumn, builtinResource, column } from '../builtin-resource.ts';
import { coreTypes } from '../types/core.ts';
import { serviceFlaws } from './flaws.ts';
import { prepareService, withServiceDefaults } from './prepare.ts';
import { type ServicePort, specOf } from './spec.ts';

export const services: Resource = builtinResource({
  kind: 'Service',
  plural: 'services',
  types: coreTypes,
  namespaced: true,
  shortNames: ['svc'],
  categories: ['all'],
  columns: [
    column('Type', 'How it is reached.'),
    column('Cluster-IP', 'Its address inside the cluster.'),
    column('External-IP', 'Its addresses outside.'),
    column('Port(s)', 'Its ports.'),
    ageColumn,
    column('Selector', 'The labels of its pods.', 1),
  ],
  cells: (service, now) => {
    const { type = '', clusterIPs = [], ports = [], selector = {} } = specOf(service);
    return [
      type,
      clusterIPs[0] ?? '<none>',
      externalAddress(service),
      ports.map(portText).join(',') || '<none>',
      ageCell(service, now),
      Object.entries(selector)
        .map(([key, value]) => `${key}=${value}`)
        .sort()
        .join(',') || '<none>',
    ];
  },
  selectableFields: ['.spec.clusterIP', '.spec.type'],
  statusSubresource: true,
  strategy: {
    applyDefaults: withServiceDefaults,
    prepare: prepareService,
    validate: serviceFlaws,
    nameProblems: label1123Problems,
    createOnUpdate: true,
    returnsDeleted: true,
  },
});

const portText = ({ port, nodePort, protocol }: ServicePort): string =>
  nodePort ? `${port}:${nodePort}/${protocol ?? ''}` : `${port}/${protocol ?? ''}`;

function externalAddress(service: StoredObject): string {
  const { type, externalIPs = [], externalName = '' } = specOf(service);
  if (type === 'ExternalName') return externalName;
  const addresses = type === 'LoadBalancer' ? [...balancerAddresses(service), ...externalIPs] : externalIPs;
  return addresses.join(',') || (type === 'LoadBalancer' ? '<pending>' : '<none>');
}

function balancerAddresses(service: StoredObject): readonly string[] {
  const status = isJsonObject(service['status']) ? service['status'] : {};
  const balancer = isJsonObject(status['loadBalancer']) ? status['loadBalancer'] : {};
  const ingress = isJsonArray(balancer['ingress']) ? balancer['ingress'] : [];
  const addresses = ingress.map((each) => (isJsonObject(each) ? (each['ip'] ?? each['hostname']) : undefined));
  return addresses.filter((address) => typeof address === 'string').sort();
}
