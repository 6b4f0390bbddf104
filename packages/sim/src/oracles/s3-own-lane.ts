import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  keyOf,
  type Kind,
  kindById,
  KubeEvent,
  Lease,
  objectKey,
} from '@lifeline/core';
import { type FieldPath, formatFieldPath, isWithin, parseFieldPath } from '@lifeline/k8s';
import { changedPaths } from './changed-paths.ts';
import type { OwnWrite, Oracle, OracleContext } from './oracle.ts';
import { bodyOfRequest, managerOf, verbOf } from './request.ts';
import { placeOf, type Subject } from './subject.ts';
import { kindIdOf } from './truth.ts';

export const ownLane: Oracle = {
  id: 'S3',
  has: ({ writes }) => writes.length > 0,
  attach: (context) => ({
    ownWrite: (write) => {
      if (isHousekeeping(write, context.subject)) return;
      const fault = faultOf(write, context) ?? blindList(write);
      if (fault) context.report(`${placeOf(write.plane, keyOf(write.revision.object))}: ${fault}`, write);
    },
  }),
};

/** Leader election and events, written by the runtime for every app alike, and what the app names beside them. */
export function isHousekeeping({ plane, revision: { object } }: OwnWrite, subject: Subject): boolean {
  const { election } = subject;
  const kind = kindIdOf(object);
  if (subject.isHousekeeping?.({ plane, object }) || subject.shards?.isLease({ plane, object })) return true;
  if (kind === KubeEvent.id || kind === 'Event') return true;
  return kind === Lease.id && election !== undefined && keyOf(object) === objectKey(election.lease);
}

function faultOf(write: OwnWrite, { subject, truth }: OracleContext): string | undefined {
  const { object, previous } = write.revision;
  const kindId = kindIdOf(object);
  const verb = verbOf(write.by);
  const plane = subject.planeOf(truth.plane(write.plane));
  const rows = subject.writes.filter((right) => right.plane === plane && right.kind.id === kindId);
  if (!verb || !rows.some(({ verbs }) => verbs.includes(verb)))
    return `${write.by.request.method} of a ${kindId} in the plane ${plane} is not declared`;
  if (verb === 'delete') return undefined;
  const manager = managerOf(write.by);
  const own = rows.filter(({ owner, verbs }) => owner === manager && verbs.includes(verb));
  if (own.length === 0) return `${verb} of a ${kindId} in the plane ${plane} is not declared for ${manager}`;
  const lanes = own.flatMap(({ fields }) => fields.map(parseFieldPath)).filter((path) => path !== undefined);
  const body = bodyOfRequest(write.by.request);
  const strayed = changedPaths(previous, object, kindById(kindId)).find(
    (path) =>
      !lanes.some((lane) => isWithin(path, lane) || isEmptyParent(path, lane, object)) &&
      !(previous === undefined && isDefault(path, body)),
  );
  return strayed && `${manager} wrote ${formatFieldPath(strayed)}, which it did not declare`;
}

/** A map that is there, empty, because a field of ours was made or taken away in it. */
function isEmptyParent(path: FieldPath, lane: FieldPath, object: unknown): boolean {
  let value: unknown = object;
  for (const name of path) value = isJsonObject(value) ? value[name] : undefined;
  const isEmpty = value === undefined || (isJsonObject(value) && Object.keys(value).length === 0);
  return isEmpty && isWithin(lane, path);
}

/** The server put it into a new object: whoever made that said nothing of it. */
const isDefault = (path: FieldPath, body: JsonObject | undefined): boolean =>
  body !== undefined && valueAt(body, path) === undefined;

/** A list that others edit too, sent whole without saying which state it was made from. */
function blindList({ by, revision: { object } }: OwnWrite): string | undefined {
  const { method, headers } = by.request;
  const body = bodyOfRequest(by.request);
  if (!body || !(method === 'PUT' || headers['content-type'] === 'application/merge-patch+json')) return undefined;
  const { metadata } = body;
  if (isJsonObject(metadata) && metadata['resourceVersion'] !== undefined) return undefined;
  const list = sharedLists(kindById(kindIdOf(object))).find((path) => Array.isArray(valueAt(body, path)));
  return list && `${list.join('.')} was sent whole, whatever it had become`;
}

const sharedLists = (kind: Kind | undefined): readonly FieldPath[] => [
  ['metadata', 'finalizers'],
  ['metadata', 'ownerReferences'],
  ...Object.keys(kind?.listMapKeys ?? {}).map((path) => path.split('.')),
];

const valueAt = (value: JsonValue | undefined, path: FieldPath): unknown =>
  path.reduce<unknown>((found, name) => (isJsonObject(found) ? found[name] : undefined), value);
