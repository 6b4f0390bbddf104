/** Lists: of now, of a moment, or of what the view has seen; whole or in pages. */
import { type JsonObject, type ObjectKey, objectKey } from '@lifeline/core';
import { badRequest } from '../api-error.ts';
import type { Call, Handler } from '../http/call.ts';
import { respondList } from '../http/respond.ts';
import { type StoredObject, storedUnder } from '../resources/resource.ts';
import type { Server } from '../server-parts.ts';
import { readContinueToken, writeContinueToken } from './continue-token.ts';
import { type ListOptions, parseListOptions, parseRevision, selects, selectsAll } from './list-options.ts';
import { expired, tooLargeRevision } from './revision-error.ts';

export const listObjects: Handler = (server, call) => {
  const page = readPage(server, call);
  return respondList(call, page.objects, page.metadata);
};

/** What a list answers: in their stored form, with the metadata of the list. @throws ApiError */
export function readPage(server: Server, call: Call): Page {
  const options = parseListOptions(call);
  return pageOf(call, options, momentOf(server, call, options));
}

/** What is read from. */
interface Moment {
  readonly revision: number;
  readonly objects: readonly StoredObject[];
  /** Objects up to this key were on pages before. */
  readonly after?: ObjectKey | undefined;
}

function momentOf(server: Server, call: Call, options: ListOptions): Moment {
  if (options.continue !== '') return continued(server, call, options);
  const { resourceVersion, match, limit } = options;
  if (resourceVersion === '') return at(server, call, server.store.revision);
  const asked = revisionOf(resourceVersion);
  if (match === 'Exact' || (match === '' && limit > 0 && asked > 0)) {
    if (asked < server.store.compactedTo) throw expired('The resourceVersion for the provided list is too old.');
    if (asked > server.store.revision) throw tooLargeRevision(asked, server.store.revision);
    return at(server, call, asked);
  }
  const id = storedUnder(call.resource);
  const seen = server.view.horizon(id);
  if (asked > seen) throw tooLargeRevision(asked, seen);
  return { revision: seen, objects: server.view.list(id, call.namespace) };
}

function continued(server: Server, call: Call, { continue: text, resourceVersion }: ListOptions): Moment {
  const { revision = server.store.revision, after } = readContinueToken(text);
  if (resourceVersion !== '' && resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  if (revision < server.store.compactedTo) {
    const why = 'The provided continue parameter is too old to display a consistent list result.';
    const instead =
      'You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results.';
    const caveat =
      'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';
    throw expired(`${why} ${instead} ${caveat}`, writeContinueToken({ revision: undefined, after }));
  }
  if (revision > server.store.revision) throw tooLargeRevision(revision, server.store.revision);
  return { ...at(server, call, revision), after };
}

function at({ store }: Server, { resource, namespace }: Call, revision: number): Moment {
  const id = storedUnder(resource);
  const objects = revision === store.revision ? store.list(id, namespace) : store.listAt(revision, id, namespace);
  return { revision, objects };
}

function revisionOf(text: string): number {
  try {
    return parseRevision(text);
  } catch (error) {
    throw badRequest(`invalid resource version: ${(error as RangeError).message}`);
  }
}

interface Page {
  readonly objects: readonly StoredObject[];
  readonly metadata: JsonObject;
}

function pageOf(call: Call, options: ListOptions, { revision, objects, after }: Moment): Page {
  const { namespace } = call;
  // The cache of a real server, which alone answers "0", knows no pages.
  const limit = options.resourceVersion === '0' ? 0 : options.limit;
  const resourceVersion = String(revision);
  const rest = after === undefined ? objects : objects.slice(firstAfter(objects, after, namespace));
  const selected: StoredObject[] = [];
  for (const [index, object] of rest.entries()) {
    if (!selects(options, call, object)) continue;
    selected.push(object);
    if (selected.length !== limit || index === rest.length - 1) continue;
    // As on a real server, what is left is not looked at: none of it may be selected.
    const token = writeContinueToken({ revision, after: relativeKey(object, namespace) });
    const remaining = selectsAll(options) ? { remainingItemCount: rest.length - limit } : {};
    return { objects: selected, metadata: { resourceVersion, continue: token, ...remaining } };
  }
  return { objects: selected, metadata: { resourceVersion } };
}

/** Within what is listed. */
const relativeKey = ({ metadata }: StoredObject, namespace: string | undefined): ObjectKey =>
  namespace === undefined ? objectKey(metadata) : metadata.name;

function firstAfter(objects: readonly StoredObject[], after: ObjectKey, namespace: string | undefined): number {
  const index = objects.findIndex((object) => relativeKey(object, namespace) > after);
  return index < 0 ? objects.length : index;
}
