/** Which part of a written object counts: status is written through `status`, and nothing else is. */
import { type JsonValue, ownValue } from '@lifeline/core';
import type { Resource, StoredObject } from '../../resources/resource.ts';
import { zeroMessage } from '../../schema/empty-value.ts';

/** What a client sent, with all that it may not write through this path taken from what is there. */
export function resetFields(
  resource: Resource,
  { next, live, subresource }: { next: StoredObject; live: StoredObject | undefined; subresource: string | undefined },
): StoredObject {
  switch (subresource) {
    case undefined:
      if (!resource.statusSubresource) return next;
      return withStatus(next, live ? ownValue(live, 'status') : zeroStatus(resource));
    case 'status':
      return live ? statusOnly(resource, next, live) : next;
    case 'finalize':
      return live ? withStatus(next, ownValue(live, 'status')) : next;
    default:
      return next;
  }
}

function withStatus(object: StoredObject, status: JsonValue | undefined): StoredObject {
  if (ownValue<JsonValue | undefined>(object, 'status') === status) return object;
  const { status: _, ...rest } = object;
  return (status === undefined ? rest : { ...rest, status }) as StoredObject;
}

/** Of a custom resource, metadata does not count either; of a built-in one it does. */
function statusOnly({ decoding }: Resource, next: StoredObject, live: StoredObject): StoredObject {
  const { managedFields, resourceVersion } = next.metadata;
  const metadata = decoding === 'typed' ? next.metadata : { ...live.metadata, managedFields, resourceVersion };
  const object = { ...live, apiVersion: next.apiVersion, kind: next.kind, metadata } as StoredObject;
  return withStatus(object, ownValue(next, 'status'));
}

/** What Go writes where nothing is said. */
const zeroStatus = ({ messageType }: Resource): JsonValue | undefined =>
  messageType && zeroMessage(messageType)['status'];
