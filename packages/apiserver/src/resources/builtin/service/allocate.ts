/** Addresses and node ports: each is given to one Service at a time. */
import type { Random } from '@lifeline/core';
import type { Server } from '../../../server-parts.ts';
import type { StoredObject } from '../../resource.ts';
import { familiesOf } from './ip-families.ts';
import {
  needsClusterIP,
  needsHealthCheck,
  type ServicePort,
  type ServiceSpec,
  specOf,
  wantsNodePorts,
} from './spec.ts';

/** 10.96.0.0/16 without its ends, as kubeadm has it. */
const clusterIPPattern = /^10\.96\.(?:\d{1,3})\.(?:\d{1,3})$/;
const firstNodePort = 30_000;
const nodePortCount = 2768;

export interface Allocation {
  readonly server: Server;
  readonly random: Random;
}

/** The spec with what it needs and does not ask for by name. */
export function allocated(spec: ServiceSpec, { server, random }: Allocation): ServiceSpec {
  const others = server.store.list('services').map(specOf);
  const withAddress = needsClusterIP(spec) ? { ...spec, ...addressesOf(spec, others, random) } : spec;
  return withNodePorts(withAddress, others, random);
}

function addressesOf(spec: ServiceSpec, others: readonly ServiceSpec[], random: Random): Partial<ServiceSpec> {
  const { clusterIP = '', clusterIPs = [] } = spec;
  const families = familiesOf(spec);
  if (clusterIP !== '' || clusterIPs.length > 0) return families;
  const taken = new Set(others.map((other) => other.clusterIP));
  const address = freeOne(taken, () => `10.96.${random.int(256)}.${1 + random.int(254)}`);
  return { ...families, clusterIP: address, clusterIPs: [address] };
}

function withNodePorts(spec: ServiceSpec, others: readonly ServiceSpec[], random: Random): ServiceSpec {
  if (!wantsNodePorts(spec)) return spec;
  const ports = spec.ports ?? [];
  const taken = new Set([...others.flatMap((other) => other.ports ?? []), ...ports].map(({ nodePort }) => nodePort));
  const draw = (): number => {
    const port = freeOne(taken, () => firstNodePort + random.int(nodePortCount));
    taken.add(port);
    return port;
  };
  const given = ports.map((port): ServicePort => (port.nodePort ? port : { ...port, nodePort: draw() }));
  const healthCheck = needsHealthCheck(spec) && !spec.healthCheckNodePort ? { healthCheckNodePort: draw() } : {};
  return { ...spec, ports: given, ...healthCheck };
}

/** One that nobody has. The ranges are large against the number of Services that a test makes. */
function freeOne<T>(taken: ReadonlySet<T | undefined>, draw: () => T): T {
  for (;;) {
    const drawn = draw();
    if (!taken.has(drawn)) return drawn;
  }
}

/** Why an address that was asked for by name cannot be given. @param name of the Service that asks, which may have it already */
export function refusalOf(address: string, server: Server, asking: StoredObject): string | undefined {
  if (!clusterIPPattern.test(address)) return 'the provided network does not match the current range';
  const { name, namespace } = asking.metadata;
  const holder = server.store.list('services').find((service) => specOf(service).clusterIP === address);
  if (!holder || (holder.metadata.name === name && holder.metadata.namespace === namespace)) return undefined;
  return 'provided IP is already allocated';
}
