import { notFound } from '../api-error.ts';
import type { Handler } from '../http/call.ts';
import { respondObject } from '../http/respond.ts';

export const getObject: Handler = (server, call) => {
  const { resource, namespace, name = '' } = call;
  const object = server.store.get(resource.storedAs ?? resource.id, { namespace, name });
  if (!object) throw notFound({ resource, name });
  return respondObject(call, object);
};
