import { trackUpdate } from '../../apply/track.ts';
import { alreadyExists, ApiError } from '../../api-error.ts';
import { authorize } from '../../auth/authorize.ts';
import { asStored, type Spoken } from '../../resources/spoken.ts';
import { type StoredObject, storedUnder, withMetadata, withoutMetadata } from '../../resources/resource.ts';
import type { Server } from '../../server-parts.ts';
import { withoutDuplicateOwners } from '../owner-references.ts';
import { strategyContext, type Writer } from '../writer.ts';
import { commit } from './commit.ts';
import { generatedName, nameAttempts } from './generated-name.ts';
import { admitToNamespace } from './namespace-admission.ts';
import { pruned } from './pruned.ts';
import { resetFields } from './reset-fields.ts';
import { prepared, refuseInvalid, warn } from './validate.ts';

export interface CreateRequest {
  /** Decoded, with defaults, in the version of the writer; in its namespace already. */
  readonly object: StoredObject;
  readonly writer: Writer;
  /** It came out of an apply, and is pruned when it has been validated. Default false. */
  readonly isMerged?: boolean | undefined;
  /** The right to create has not been asked for: it came as an update or a patch. Default false. */
  readonly isUnasked?: boolean | undefined;
}

/**
 * Creates an object as a POST does: named, dated, defaulted by its strategy, validated. Answers it as it is stored; with `dryRun` as it
 * would be.
 * @throws ApiError as a real server answers
 */
export function create(server: Server, spoken: Spoken, { object, writer }: CreateRequest): StoredObject {
  const { resource } = spoken;
  const sent = withoutDuplicateOwners(withoutSystemFields(object), 'sent', writer.warnings);
  const next = resetFields(resource, { next: sent, live: undefined, subresource: undefined });
  const tracked = trackUpdate({ resource, live: undefined, next, author: writer.author });
  if (resource.strategy.review) {
    return asStored(spoken, resource.strategy.review(tracked, strategyContext(server, writer)));
  }
  admitToNamespace(server, resource, tracked);
  return createNamed(server, spoken, { object: tracked, writer });
}

/** A name that the server makes is made again when it is taken. */
function createNamed(server: Server, spoken: Spoken, { object, writer }: CreateRequest): StoredObject {
  const { name, generateName } = object.metadata;
  if (name || !generateName) return createOnce(server, spoken, { object, writer });
  for (let attempt = 1; ; attempt++) {
    const named = withMetadata(object, { name: generatedName(generateName, server.random) });
    try {
      return createOnce(server, spoken, { object: named, writer });
    } catch (error) {
      const taken = error instanceof ApiError && error.spec.reason === 'AlreadyExists';
      if (!taken || attempt === nameAttempts) throw error;
    }
  }
}

/** The part of a create that an update and an apply of what is not there share. @param request with managed fields already */
export function createOnce(
  server: Server,
  spoken: Spoken,
  { object, writer, isMerged, isUnasked }: CreateRequest,
): StoredObject {
  const context = strategyContext(server, writer);
  const born = withMetadata(object, { uid: server.random.uuid(), creationTimestamp: writer.author.time });
  const next = prepared(spoken, { next: born, old: undefined, context });
  refuseInvalid(spoken, { next, old: undefined, context });
  if (isUnasked) authorizeCreate(server, spoken, { object: next, writer });
  warn(spoken, writer, { next, old: undefined });
  refuseTaken(server, spoken, { object: next, writer });
  const whole = isMerged ? pruned(spoken, next) : next;
  // A dry run answers what the client sent of it.
  const settled = writer.dryRun ? whole : withoutMetadata(whole, 'resourceVersion');
  return commit(server, spoken, { next: settled, previous: undefined, writer });
}

/** @throws ApiError 403 */
function authorizeCreate(server: Server, { resource, version }: Spoken, { object, writer }: CreateRequest): void {
  const { group, plural } = resource;
  const { name, namespace = '' } = object.metadata;
  const about = { group, version: version.name, resource: plural, subresource: '', namespace, name };
  authorize(server, writer.user, { verb: 'create', ...about });
}

function refuseTaken({ store }: Server, spoken: Spoken, { object, writer }: CreateRequest): void {
  const { name, namespace, generateName, resourceVersion = '' } = object.metadata;
  if (!writer.dryRun && /^\d+$/.test(resourceVersion) && !/^0+$/.test(resourceVersion)) {
    const message = 'resourceVersion should not be set on objects to be created';
    throw new ApiError({ code: 500, reason: '', message });
  }
  const existing = store.get(storedUnder(spoken.resource), { name, namespace });
  if (!existing) return;
  const { spec } = alreadyExists({ resource: spoken.resource, name });
  const prefix = existing.metadata.deletionTimestamp ? 'object is being deleted: ' : '';
  throw generateName
    ? new ApiError({
        ...spec,
        message: `${prefix}${spec.message}, the server was not able to generate a unique name for the object`,
        details: { ...spec.details, retryAfterSeconds: 1 },
      })
    : new ApiError({ ...spec, message: `${prefix}${spec.message}` });
}

/** Without what the server alone decides. */
export function withoutSystemFields(object: StoredObject): StoredObject {
  const {
    uid: _uid,
    creationTimestamp: _created,
    deletionTimestamp: _deleted,
    deletionGracePeriodSeconds: _grace,
    selfLink: _link,
    ...metadata
  } = object.metadata;
  return { ...object, metadata } as StoredObject;
}
