/** What is written of a connector's Lease. Whether it is renewed is the agent's business alone. */
import {
  type Connector,
  Connector as connectorKind,
  controllerOf,
  type JsonPatchOperation,
  labels,
  Lease,
  ownerReferenceTo,
  type OwnerReference,
  testResourceVersion,
  testUid,
  withOwnerReference,
} from '@lifeline/core';
import type { Write } from '@lifeline/k8s';

export interface LeaseSettings {
  /** Of Leases that have no duration. */
  readonly leaseDurationSeconds: number;
  /** On what we create. */
  readonly installation: string;
}

/** It has a duration, and a controller: nothing that we would write is missing, whoever wrote it. */
export const isWhole = (lease: Lease): boolean => hasDuration(lease) && controllerOf(lease) !== undefined;

/** The Lease of a connector that has none. The agent fills in the rest: it may update Leases, not create them. */
export function leaseCreation(connector: Connector, settings: LeaseSettings): Write<Lease> {
  const { namespace, name } = connector.metadata;
  const object = {
    apiVersion: Lease.apiVersion,
    kind: Lease.kind,
    metadata: {
      namespace,
      name,
      labels: { [labels.installation]: settings.installation },
      ownerReferences: [ownership(connector)],
    },
    spec: { leaseDurationSeconds: settings.leaseDurationSeconds },
  };
  return { verb: 'create', kind: Lease, object };
}

/**
 * What a Lease lacks: a duration, and the connector as its controller, in place of a connector of the same name that was there before.
 * Undefined: nothing. The owners of a Lease that something else controls are left alone: there can be one controller only.
 *
 * @param lease as it was read live: the patch fails on any other state of it
 */
export function leaseRepair(
  connector: Connector,
  lease: Lease,
  { leaseDurationSeconds }: LeaseSettings,
): Write<Lease> | undefined {
  const { namespace, name } = lease.metadata;
  const repairs = [...ownerRepairs(connector, lease), ...durationRepairs(lease, leaseDurationSeconds)];
  if (repairs.length === 0) return undefined;
  const body = [testUid(lease), testResourceVersion(lease), ...repairs];
  return { verb: 'patch', kind: Lease, name: { namespace, name }, patch: { type: 'json', body } };
}

function ownerRepairs(connector: Connector, lease: Lease): readonly JsonPatchOperation[] {
  const own = ownership(connector);
  const controller = controllerOf(lease);
  if (controller && (controller.uid === own.uid || !isNamesake(controller, own))) return [];
  const others = (lease.metadata.ownerReferences ?? []).filter((owner) => !isNamesake(owner, own));
  return [{ op: 'add', path: '/metadata/ownerReferences', value: [...withOwnerReference(others, own)] }];
}

function durationRepairs(lease: Lease, leaseDurationSeconds: number): readonly JsonPatchOperation[] {
  if (hasDuration(lease)) return [];
  const duration: JsonPatchOperation = {
    op: 'add',
    path: '/spec/leaseDurationSeconds',
    value: leaseDurationSeconds,
  };
  return lease.spec ? [duration] : [{ op: 'add', path: '/spec', value: {} }, duration];
}

/** 0 stands for none, as in Go. */
const hasDuration = ({ spec }: Lease): boolean => Boolean(spec?.leaseDurationSeconds);

const ownership = (connector: Connector): OwnerReference => ownerReferenceTo(connector, { controller: true });

/** A connector of this name, this one or one before it. */
const isNamesake = (owner: OwnerReference, own: OwnerReference): boolean =>
  owner.kind === own.kind && owner.name === own.name && owner.apiVersion.startsWith(`${connectorKind.group}/`);
