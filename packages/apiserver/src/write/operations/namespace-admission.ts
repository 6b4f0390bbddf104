/** Whether a namespace takes something new. */
import { ApiError, type Cause, forbidden, notFound } from '../../api-error.ts';
import { namespaceParts, namespaces } from '../../resources/builtin/namespace.ts';
import type { Resource, StoredObject } from '../../resources/resource.ts';
import type { Server } from '../../server-parts.ts';

/**
 * Refuses a create in a namespace that is not there, or is going.
 * @throws ApiError 404, 403 with the cause `NamespaceTerminating`
 * @see kubernetes/apiserver@v0.36.3 pkg/admission/plugin/namespace/lifecycle/admission.go
 */
export function admitToNamespace({ store }: Server, resource: Resource, object: StoredObject): void {
  const { name, generateName, namespace } = object.metadata;
  if (!resource.namespaced || namespace === undefined) return;
  const found = store.get(namespaces.id, { name: namespace });
  if (!found) throw notFound({ resource: namespaces, name: namespace });
  if (namespaceParts(found).status.phase !== 'Terminating') return;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { spec } = forbidden({ resource, name: name || generateName || 'Unknown' }, why);
  const cause: Cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  throw new ApiError({ ...spec, details: { ...spec.details, causes: [{ ...cause }] } });
}
