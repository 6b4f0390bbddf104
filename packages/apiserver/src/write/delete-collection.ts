import { ApiError } from '../api-error.ts';
import type { Handler } from '../http/call.ts';
import { respondList } from '../http/respond.ts';
import { readPage } from '../read/list.ts';
import { readDeleteOptions } from './delete-options.ts';
import { remove } from './operations.ts';
import { callerAsWriter } from './writer.ts';

/** Deletes what a list with the same query would answer, one by one, and answers that list: what a real server does. */
export const deleteCollection: Handler = (server, call) => {
  const { dryRun, ...options } = readDeleteOptions(call);
  const { objects, metadata } = readPage(server, call);
  const writer = callerAsWriter(call, { fieldManager: undefined, dryRun });
  for (const { metadata: name } of objects) {
    try {
      remove(server, call, { name, options, writer });
    } catch (error) {
      if (!(error instanceof ApiError && error.spec.reason === 'NotFound')) throw error;
    }
  }
  return respondList(call, objects, metadata);
};
