import type { Handler } from '../http/call.ts';
import { present, respondJson } from '../http/respond.ts';
import { apiVersionOf } from '../resources/resource.ts';

export const listObjects: Handler = (server, call) => {
  const { resource, version, namespace } = call;
  const objects = server.store.list(resource.storedAs ?? resource.id, namespace);
  return respondJson(call, {
    apiVersion: apiVersionOf(resource, version.name),
    kind: resource.listKind,
    metadata: { resourceVersion: String(server.store.revision) },
    items: objects.map((object) => present(call, object)),
  });
};
