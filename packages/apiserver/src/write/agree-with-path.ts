/** What a body says of its name and namespace, against the path of the request. */
import { badRequest } from '../api-error.ts';
import type { Call } from '../http/call.ts';
import { type StoredObject, withMetadata, withoutMetadata } from '../resources/resource.ts';

/** In the namespace of the path; in none where the resource has none. @throws ApiError 400 where it says another */
export function inNamespace({ resource, namespace }: Call, object: StoredObject): StoredObject {
  const said = object.metadata.namespace ?? '';
  if (said === (namespace ?? '')) return said === '' ? withoutMetadata(object, 'namespace') : object;
  if (!resource.namespaced) return withoutMetadata(object, 'namespace');
  if (said === '') return withMetadata(object, { namespace });
  throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

/** @throws ApiError 400 */
export function refuseOtherName(
  { name = '' }: Call,
  { metadata }: { readonly metadata: { readonly name?: string } },
): void {
  const said = metadata.name ?? '';
  if (said === name) return;
  throw badRequest(
    said === ''
      ? `the name of the object (${name} based on URL) was undeterminable: name must be provided`
      : `the name of the object (${said}) does not match the name on the URL (${name})`,
  );
}
