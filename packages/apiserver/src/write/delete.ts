import type { JsonObject } from '@lifeline/core';
import type { Handler } from '../http/call.ts';
import { respondJson, respondObject } from '../http/respond.ts';
import type { Resource, StoredObject } from '../resources/resource.ts';
import { readDeleteOptions } from './delete-options.ts';
import { remove } from './operations.ts';
import { callerAsWriter } from './writer.ts';

export const deleteObject: Handler = (server, call) => {
  const { resource, name = '', namespace } = call;
  const { dryRun, ...options } = readDeleteOptions(call);
  const writer = callerAsWriter(call, { fieldManager: undefined, dryRun });
  const { object, gone } = remove(server, call, { name: { name, namespace }, options, writer });
  if (gone && !resource.strategy.returnsDeleted) return respondJson(call, goneStatus(resource, object));
  // For clients from before there were policies.
  const code = !gone && options.orphanDependents === false ? 202 : 200;
  return respondObject(call, object, { code });
};

const goneStatus = ({ group, plural }: Resource, { metadata: { name, uid } }: StoredObject): JsonObject => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  details: { name, ...(group ? { group } : {}), kind: plural, uid },
});
