import type { ObjectName } from '@lifeline/core';
import { trackUpdate } from '../../apply/track.ts';
import { settle } from '../../apply/settle.ts';
import { ApiError, conflict, invalid, notFound } from '../../api-error.ts';
import { invalidValue } from '../../field-error.ts';
import { asStored, present, type Spoken } from '../../resources/spoken.ts';
import { type StoredObject, storedUnder, withMetadata, withoutMetadata } from '../../resources/resource.ts';
import type { Server } from '../../server-parts.ts';
import { withoutDuplicateOwners } from '../owner-references.ts';
import { strategyContext, type Writer } from '../writer.ts';
import { commit } from './commit.ts';
import { createOnce, withoutSystemFields } from './create.ts';
import { admitToNamespace } from './namespace-admission.ts';
import { pruned } from './pruned.ts';
import { resetFields } from './reset-fields.ts';
import { prepared, refuseInvalid, warn } from './validate.ts';

export interface UpdateRequest {
  readonly name: ObjectName;
  /**
   * What becomes of the object: decoded, with defaults, in the version of the writer, as `live` is. Undefined where there is none:
   * asked only if this may create.
   */
  readonly change: (live: StoredObject | undefined) => StoredObject;
  readonly writer: Writer;
  /** Whether `change` has seen to managed fields, as an apply does. Default false. */
  readonly tracked?: boolean | undefined;
  /** Only an object with this uid is meant. */
  readonly uid?: string | undefined;
  /** Whether what is not there is created. Default: as the strategy has it. */
  readonly mayCreate?: boolean | undefined;
}

export interface Updated {
  /** As it is stored, would be stored, or was to be stored when it went. */
  readonly object: StoredObject;
  readonly created: boolean;
}

/**
 * Changes an object as a PUT or PATCH does. Nothing is written where nothing changes; where the last finalizer of an object that is going
 * is taken off, it goes.
 * @throws ApiError as a real server answers
 */
export function update(server: Server, spoken: Spoken, request: UpdateRequest): Updated {
  const { name, writer, uid } = request;
  const { resource } = spoken;
  const stored = server.store.get(storedUnder(resource), name);
  const { subresource } = writer.author;
  const mayCreate = subresource === undefined && (request.mayCreate ?? resource.strategy.createOnUpdate ?? false);
  if (!stored && !mayCreate) throw notFound({ resource, name: name.name });
  if (uid !== undefined && uid !== stored?.metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${stored?.metadata.uid ?? ''}`;
    throw conflict({ resource, name: name.name }, storageError(spoken, name, { why, dryRun: writer.dryRun }));
  }
  return stored ? change(server, spoken, { ...request, stored }) : createByUpdate(server, spoken, request);
}

function createByUpdate(server: Server, spoken: Spoken, request: UpdateRequest): Updated {
  const { resource } = spoken;
  const { writer, name, tracked } = request;
  const sent = withoutDuplicateOwners(request.change(undefined), 'patched', writer.warnings);
  const { uid } = sent.metadata;
  if (uid) {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict({ resource, name: name.name }, why);
  }
  const next = withoutSystemFields(sent);
  const mine = tracked ? next : trackUpdate({ resource, live: undefined, next, author: writer.author });
  const object = resetFields(resource, { next: mine, live: undefined, subresource: undefined });
  admitToNamespace(server, resource, object);
  parseRevision(object.metadata.resourceVersion);
  const unseen = writer.dryRun ? object : withoutMetadata(object, 'resourceVersion');
  return {
    object: createOnce(server, spoken, { object: unseen, writer, isMerged: tracked, isUnasked: true }),
    created: true,
  };
}

function change(server: Server, spoken: Spoken, request: UpdateRequest & { readonly stored: StoredObject }): Updated {
  const { resource } = spoken;
  const { stored, writer, name, tracked } = request;
  const live = present(spoken, stored);
  const sent = withoutDuplicateOwners(request.change(live), 'patched', writer.warnings);
  const mine = tracked ? sent : trackUpdate({ resource, live, next: sent, author: writer.author });
  const own = resetFields(resource, { next: mine, live, subresource: writer.author.subresource });
  const agreed = withAgreedRevision(spoken, { next: own, live, name });

  const context = strategyContext(server, writer);
  const { generation } = live.metadata;
  const counted = agreed.metadata.generation === generation ? agreed : withMetadata(agreed, { generation });
  const next = keepSystemFields(prepared(spoken, { next: counted, old: live, context }), live);
  refuseInvalid(spoken, { next, old: live, context });
  warn(spoken, writer, { next, old: live });

  if (isLetGo(next, live) && !resource.strategy.isHeld?.(next)) {
    if (!writer.dryRun) server.store.remove(storedUnder(resource), stored);
    return { object: asStored(spoken, next), created: false };
  }
  const settled = settle(tracked ? pruned(spoken, next) : next, live);
  if (settled === live) return { object: stored, created: false };
  return { object: commit(server, spoken, { next: settled, previous: stored, writer }), created: false };
}

/** 0 stands for none. @throws ApiError 500 */
function parseRevision(text = ''): number {
  if (text === '') return 0;
  if (/^\d+$/.test(text)) return Number(text);
  throw new ApiError({ code: 500, reason: '', message: `strconv.ParseUint: parsing "${text}": invalid syntax` });
}

const staleMessage = 'the object has been modified; please apply your changes to the latest version and try again';

/** With the resourceVersion of what is there. @throws ApiError 409 where the writer saw another, 422 where it must say which */
function withAgreedRevision(
  { resource }: Spoken,
  { next, live, name: { name } }: { next: StoredObject; live: StoredObject; name: ObjectName },
): StoredObject {
  const { resourceVersion } = live.metadata;
  const seen = parseRevision(next.metadata.resourceVersion);
  if (seen === Number(resourceVersion)) return next;
  if (seen !== 0) throw conflict({ resource, name }, staleMessage);
  const unconditional = resource.strategy.unconditionalUpdate ?? resource.decoding === 'typed';
  if (unconditional) return withMetadata(next, { resourceVersion });
  const { group, plural } = resource;
  throw invalid({ resource: { group, plural, kind: plural }, name }, [
    invalidValue('metadata.resourceVersion', 0, 'must be specified for an update'),
  ]);
}

/** What an update cannot take away. */
function keepSystemFields(next: StoredObject, { metadata: old }: StoredObject): StoredObject {
  const { selfLink: _, ...sent } = next.metadata;
  const { deletionTimestamp = sent.deletionTimestamp, deletionGracePeriodSeconds: grace } = old;
  const metadata = {
    ...sent,
    uid: sent.uid || old.uid,
    creationTimestamp: old.creationTimestamp,
    ...(deletionTimestamp ? { deletionTimestamp } : {}),
    ...(grace === undefined || sent.deletionGracePeriodSeconds !== undefined
      ? {}
      : { deletionGracePeriodSeconds: grace }),
  };
  return { ...next, metadata } as StoredObject;
}

/** The last finalizer of an object that is going is gone. */
const isLetGo = ({ metadata: { finalizers } }: StoredObject, { metadata: old }: StoredObject): boolean =>
  !!old.deletionTimestamp && !old.deletionGracePeriodSeconds && !(finalizers && finalizers.length > 0);

/** What a real server's storage says, with the key that it has there. A dry run does not come as far as to the root of all keys. */
function storageError(
  { resource }: Spoken,
  { namespace, name }: ObjectName,
  { why, dryRun }: { readonly why: string; readonly dryRun: boolean },
): string {
  const group = resource.decoding === 'structural' || resource.id === crds ? `${resource.group}/` : '';
  const root = dryRun ? '/' : '/registry/';
  const key = `${root}${group}${keyPart(resource.plural)}/${namespace === undefined ? '' : `${namespace}/`}${name}`;
  return `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
}

const crds = 'customresourcedefinitions.apiextensions.k8s.io';

/** Services and their endpoints live apart, for historical reasons. */
const keyPart = (plural: string): string => (plural === 'services' ? 'services/specs' : plural);
