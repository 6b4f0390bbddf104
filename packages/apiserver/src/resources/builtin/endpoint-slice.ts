import { isIPv4, isIPv6 } from 'node:net';
import type { Cause } from '../../api-error.ts';
import { label1123Problems, subdomainProblems } from '../../dns-syntax.ts';
import { choiceFlaws, duplicate, invalidValue, required, syntaxFlaws, tooMany } from '../../field-error.ts';
import { labelKeyProblems } from '../../label-syntax.ts';
import { type Resource, type StoredObject, withFields } from '../resource.ts';
import { ageCell, ageColumn, builtinResource, column } from './builtin-resource.ts';
import { unchanged } from './immutable.ts';
import { addressFlaws, endpointFlaws } from './ip-address.ts';
import { protocolFlaws } from './port.ts';
import { raiseGeneration } from './raise-generation.ts';
import { discoveryTypes } from './types/discovery.ts';

interface EndpointSlice {
  readonly addressType: string;
  readonly endpoints: readonly Endpoint[] | null;
  readonly ports: readonly EndpointPort[] | null;
}

interface Endpoint {
  readonly addresses: readonly string[] | null;
  readonly hostname?: string;
  readonly nodeName?: string;
}

interface EndpointPort {
  readonly name: string;
  readonly protocol: string;
  readonly port?: number;
  readonly appProtocol?: string;
}

const sliceOf = (object: StoredObject): EndpointSlice => object as StoredObject & EndpointSlice;

export const endpointSlices: Resource = builtinResource({
  group: 'discovery.k8s.io',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  types: discoveryTypes,
  namespaced: true,
  hasGeneration: true,
  columns: [
    column('AddressType', 'What its addresses are.'),
    column('Ports', 'Of every endpoint.'),
    column('Endpoints', 'The addresses.'),
    ageColumn,
  ],
  cells: (object, now) => {
    const { addressType, ports, endpoints } = sliceOf(object);
    const addresses = (endpoints ?? []).flatMap((endpoint) => endpoint.addresses ?? []);
    const numbers = (ports ?? []).map(({ name, port }) => String(port ?? name));
    return [addressType, firstThree(numbers), firstThree(addresses), ageCell(object, now)];
  },
  strategy: {
    prepare: (next, old) => raiseGeneration(withoutTopology(next), old, 'labels'),
    validate: (next, old) => [...flaws(sliceOf(next)), ...(old ? unchangedType(sliceOf(next), sliceOf(old)) : [])],
  },
});

function firstThree(texts: readonly string[]): string {
  if (texts.length === 0) return '<unset>';
  const shown = texts.slice(0, 3).join(',');
  return texts.length > 3 ? `${shown} + ${texts.length - 3} more...` : shown;
}

/** `deprecatedTopology` is not taken any more. */
function withoutTopology(object: StoredObject): StoredObject {
  const { endpoints } = sliceOf(object) as { readonly endpoints: readonly Readonly<Record<string, never>>[] | null };
  if (!endpoints?.some((endpoint) => endpoint['deprecatedTopology'])) return object;
  return withFields(object, { endpoints: endpoints.map(({ deprecatedTopology: _, ...rest }) => rest) });
}

const unchangedType = (next: EndpointSlice, old: EndpointSlice): readonly Cause[] =>
  unchanged('addressType', next.addressType, old.addressType);

function flaws({ addressType, ports, endpoints }: EndpointSlice): readonly Cause[] {
  return [
    ...addressTypeFlaws(addressType),
    ...portFlaws(ports ?? []),
    ...(endpoints && endpoints.length > 1000
      ? [tooMany('endpoints', endpoints.length, 1000)]
      : (endpoints ?? []).flatMap((endpoint, index) =>
          endpointSliceFlaws(endpoint, `endpoints[${index}]`, addressType),
        )),
  ];
}

function addressTypeFlaws(addressType: string): readonly Cause[] {
  if (addressType === '') return [required('addressType')];
  return choiceFlaws('addressType', addressType, ['FQDN', 'IPv4', 'IPv6']);
}

function portFlaws(ports: readonly EndpointPort[]): readonly Cause[] {
  return ports.flatMap(({ name, protocol, appProtocol }, index) => {
    const path = `ports[${index}]`;
    const twice = ports.findIndex((port) => port.name === name) < index;
    return [
      ...(name === '' ? [] : syntaxFlaws(`${path}.name`, name, label1123Problems)),
      ...(twice ? [duplicate(`${path}.name`, name)] : []),
      ...protocolFlaws(`${path}.protocol`, protocol),
      ...syntaxFlaws(`${path}.appProtocol`, appProtocol, labelKeyProblems),
    ];
  });
}

function endpointSliceFlaws({ addresses, hostname, nodeName }: Endpoint, path: string, type: string): readonly Cause[] {
  const list = `${path}.addresses`;
  return [
    ...(addresses ? [] : [required(list, 'must contain at least 1 address')]),
    ...(addresses && addresses.length > 100 ? [tooMany(list, addresses.length, 100)] : []),
    ...(addresses ?? []).flatMap((address, index) => addressOfTypeFlaws(address, { list, index, type })),
    ...syntaxFlaws(`${path}.nodeName`, nodeName, subdomainProblems),
    ...syntaxFlaws(`${path}.hostname`, hostname, label1123Problems),
  ];
}

interface Place {
  /** The path of the list. */
  readonly list: string;
  readonly index: number;
  readonly type: string;
}

function addressOfTypeFlaws(address: string, { list, index, type }: Place): readonly Cause[] {
  const path = `${list}[${index}]`;
  if (type === 'FQDN') return nameFlaws(path, address);
  const wanted = { IPv4: isIPv4, IPv6: isIPv6 }[type];
  if (!wanted) return [];
  const broken = addressFlaws(path, address);
  if (broken.length > 0) return broken;
  return [
    ...(wanted(address) ? [] : [invalidValue(list, address, `must be an ${type} address`)]),
    ...endpointFlaws(path, address),
  ];
}

/** A domain name of two labels or more. */
function nameFlaws(path: string, name: string): readonly Cause[] {
  if (name === '') return [required(path)];
  const problems = subdomainProblems(name.replace(/\.$/, ''));
  if (problems.length > 0) return problems.map((problem) => invalidValue(path, name, problem));
  const detail = 'should be a domain with at least two segments separated by dots';
  return name.replace(/\.$/, '').includes('.') ? [] : [invalidValue(path, name, detail)];
}
