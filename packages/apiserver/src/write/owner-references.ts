/** `metadata.ownerReferences`: what may stand in them. */
import { deepEqual, type OwnerReference, stringifyJson } from '@lifeline/core';
import type { Cause } from '../api-error.ts';
import { invalidValue } from '../field-error.ts';
import { type StoredObject, withMetadata } from '../resources/resource.ts';
import type { Warnings } from './warnings.ts';

const ownersPath = 'metadata.ownerReferences';

/** What is wrong with them. */
export function ownerFlaws(owners: readonly OwnerReference[]): readonly Cause[] {
  const causes: Cause[] = [];
  let controller: string | undefined;
  for (const owner of owners) {
    causes.push(...ownerReferenceFlaws(owner));
    if (owner.controller !== true) continue;
    const named = `${owner.kind}/${owner.name}`;
    if (controller === undefined) {
      controller = named;
    } else {
      const found = `Found "true" in references for ${controller} and ${named}`;
      causes.push(
        badOwners(
          `[${owners.map(ownerText).join(',')}]`,
          `Only one reference can have Controller set to true. ${found}`,
        ),
      );
    }
  }
  return causes;
}

function ownerReferenceFlaws(owner: OwnerReference): readonly Cause[] {
  const { apiVersion, kind, name, uid } = owner;
  const empty = (field: string, text: string, detail = 'must not be empty'): readonly Cause[] =>
    text === '' ? [invalidValue(`${ownersPath}.${field}`, '', detail)] : [];
  return [
    ...(/(?:^|\/)$/.test(apiVersion)
      ? [invalidValue(`${ownersPath}.apiVersion`, apiVersion, 'version must not be empty')]
      : []),
    ...empty('kind', kind),
    ...empty('name', name),
    ...empty('uid', uid),
    ...(apiVersion === 'v1' && kind === 'Event'
      ? [badOwners(ownerText(owner), '/v1, Kind=Event is disallowed from being an owner')]
      : []),
  ];
}

const badOwners = (shown: string, detail: string): Cause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${shown}: ${detail}`,
  field: ownersPath,
});

/** In the order that Go's struct has. */
const ownerText = ({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): string =>
  stringifyJson({ apiVersion, kind, name, uid, controller, blockOwnerDeletion });

/** Without what stands in them twice, which is warned about. @param when whether it was the client or the server that made them */
export function withoutDuplicateOwners(
  object: StoredObject,
  when: 'sent' | 'patched',
  warnings: Warnings,
): StoredObject {
  const owners = object.metadata.ownerReferences ?? [];
  const kept: OwnerReference[] = [];
  const again: string[] = [];
  for (const owner of owners) {
    if (kept.some((other) => other.uid === owner.uid && deepEqual(other, owner))) again.push(owner.uid);
    else kept.push(owner);
  }
  if (again.length === 0) return object;
  const late = when === 'patched' ? ' after mutating admission happens' : '';
  warnings.add(
    `.metadata.ownerReferences contains duplicate entries${late}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${again.join(', ')}`,
  );
  return withMetadata(object, { ownerReferences: kept });
}
