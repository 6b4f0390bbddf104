import type { Client } from '../client/client.ts';

/** A client that is, at each call, whatever `current` gives: credentials are replaced under its users. */
export function followClient(current: () => Client): Client {
  return {
    get: (kind, name, options) => current().get(kind, name, options),
    find: (kind, name, options) => current().find(kind, name, options),
    list: (kind, options) => current().list(kind, options),
    findMetadata: (kind, name, options) => current().findMetadata(kind, name, options),
    listMetadata: (kind, options) => current().listMetadata(kind, options),
    watch: (kind, options) => current().watch(kind, options),
    watchMetadata: (kind, options) => current().watchMetadata(kind, options),
    create: (kind, object, options) => current().create(kind, object, options),
    apply: (kind, object, options) => current().apply(kind, object, options),
    patch: (target, patch, options) => current().patch(target, patch, options),
    update: (kind, object, options) => current().update(kind, object, options),
    delete: (target, options) => current().delete(target, options),
    raw: (request, options) => current().raw(request, options),
  };
}
