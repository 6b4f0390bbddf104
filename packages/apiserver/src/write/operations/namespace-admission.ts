/** Whether a namespace takes something new. */
import { ApiError, notFound } from '../../api-error.ts';
import type { Resource, StoredObject } from '../../resources/resource.ts';
import type { Server } from '../../server-parts.ts';

/**
 * Refuses a create in a namespace that is not there, or is going.
 * @throws ApiError 404, 403 with the cause `NamespaceTerminating`
 * @see kubernetes/apiserver@v0.36.3 pkg/admission/plugin/namespace/lifecycle/admission.go
 */
export function admitToNamespace({ store, resources }: Server, resource: Resource, object: StoredObject): void {
  const { name, generateName, namespace } = object.metadata;
  if (!resource.namespaced || namespace === undefined) return;
  const found = store.get('namespaces', { name: namespace });
  const namespaces = resources.byId('namespaces') ?? { group: '', plural: 'namespaces', kind: 'Namespace' };
  if (!found) throw notFound({ resource: namespaces, name: namespace });
  const { phase } = (found['status'] ?? {}) as { readonly phase?: string };
  if (phase !== 'Terminating') return;
  const { group, plural, id } = resource;
  const named = name || generateName || 'Unknown';
  throw new ApiError({
    code: 403,
    reason: 'Forbidden',
    message: `${id} "${named}" is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`,
    details: {
      name: named,
      ...(group ? { group } : {}),
      kind: plural,
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    },
  });
}
