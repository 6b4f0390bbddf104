import { isJsonObject, type JsonObject } from '@lifeline/core';
import type { Cause } from '../../api-error.ts';
import { invalidValue, negativeFlaws } from '../../field-error.ts';
import { type Resource, type StoredObject, withFields } from '../resource.ts';
import { ageCell, ageColumn, builtinResource, column } from './builtin-resource.ts';
import { coordinationTypes } from './types/coordination.ts';

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly leaseTransitions?: number;
}

const specOf = (lease: StoredObject): LeaseSpec & JsonObject => (isJsonObject(lease['spec']) ? lease['spec'] : {});

export const leases: Resource = builtinResource({
  group: 'coordination.k8s.io',
  kind: 'Lease',
  plural: 'leases',
  types: coordinationTypes,
  namespaced: true,
  columns: [column('Holder', 'Who holds it.'), ageColumn],
  cells: (lease, now) => [specOf(lease).holderIdentity ?? '', ageCell(lease, now)],
  strategy: {
    prepare: withoutElection,
    validate: (next) => flaws(specOf(next)),
    createOnUpdate: true,
    unconditionalUpdate: false,
  },
});

/** Coordinated leader election is off by default: its fields are not kept. */
function withoutElection(lease: StoredObject): StoredObject {
  const { strategy, preferredHolder, ...spec } = specOf(lease);
  return strategy === undefined && preferredHolder === undefined ? lease : withFields(lease, { spec });
}

function flaws({ leaseDurationSeconds: duration, leaseTransitions: transitions }: LeaseSpec): readonly Cause[] {
  const path = 'spec.leaseDurationSeconds';
  return [
    ...(duration !== undefined && duration <= 0 ? [invalidValue(path, duration, 'must be greater than 0')] : []),
    ...negativeFlaws('spec.leaseTransitions', transitions),
  ];
}
