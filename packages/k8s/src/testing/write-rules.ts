/** What an API server makes of a write: which fields it sets itself, and which ones each kind of request may change. Pure. */
import {
  applyJsonPatch,
  applyMergePatch,
  deepEqual,
  isDeleting,
  type JsonPatch,
  JsonPatchError,
  type KubeObject,
  type Random,
} from '@lifeline/core';
import { conflict, patchDoesNotFit, type Target } from './refusal.ts';
import { applyFields, type Author, trackUpdate } from './server-side-apply.ts';

export interface WriteCall extends Target {
  readonly verb: 'create' | 'update' | 'patch' | 'apply' | 'delete';
  readonly namespace: string | undefined;
  readonly subresource: string | undefined;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface WriteContext {
  readonly old: KubeObject | undefined;
  readonly author: Author;
  readonly random: Random;
}

type Stateful = KubeObject & { readonly status?: unknown };

/**
 * The object after a write; the old one when nothing changes. It is gone when it is deleting and has no finalizers.
 * @throws Refusal
 */
export function objectAfter(call: WriteCall, { old, author, random }: WriteContext): KubeObject {
  if (!old) return created(call, author, random);
  const next = call.verb === 'delete' ? terminated(call, old, author) : modified(call, old, author);
  return deepEqual(old, next) ? old : next;
}

/** Counts changes outside metadata and status, and the delete; only for kinds with a status subresource. */
export function generationAfter(
  kind: Target['kind'],
  old: KubeObject | undefined,
  next: KubeObject,
): number | undefined {
  if (!kind.statusSubresource) return undefined;
  const before = Number(old?.metadata.generation ?? 0);
  const specOf = ({ status, metadata, ...spec }: Stateful): unknown => spec;
  return old && deepEqual(specOf(old), specOf(next)) && isDeleting(old) === isDeleting(next) ? before : before + 1;
}

function created(call: WriteCall, author: Author, random: Random): KubeObject {
  const { kind, verb, namespace } = call;
  const { status, ...sent } = call.body as Stateful;
  const { name, generateName, uid } = sent.metadata;
  if (verb === 'apply' && uid)
    throw conflict(call, `uid mismatch: ${uid} was to be applied, and no such object exists`);
  const stamp = {
    name: name || `${generateName}${random.hex(3).slice(1)}`,
    namespace,
    uid: random.uuid(),
    creationTimestamp: author.time,
    generation: kind.statusSubresource ? 1 : undefined,
    resourceVersion: undefined,
    managedFields: undefined,
  };
  const isPlain = status !== undefined && !kind.statusSubresource;
  const draft = { ...sent, ...(isPlain && { status }), metadata: { ...sent.metadata, ...stamp } };
  if (verb !== 'apply') return trackUpdate(kind, { old: undefined, next: draft }, author);
  return applyFields(kind, { live: draft, config: draft, force: true }, author);
}

function terminated(call: WriteCall, old: KubeObject, author: Author): KubeObject {
  checkClaims(call, old, (call.body as { preconditions?: Claims } | undefined)?.preconditions);
  if (isDeleting(old)) return old;
  const metadata = { ...old.metadata, deletionTimestamp: author.time, deletionGracePeriodSeconds: 0 };
  const next = { ...old, metadata };
  return { ...next, metadata: { ...metadata, generation: generationAfter(call.kind, old, next) } };
}

function modified(call: WriteCall, old: KubeObject, author: Author): KubeObject {
  const { kind, verb } = call;
  const sent = patched(call, old, author);
  checkClaims(call, old, (verb === 'apply' ? (call.body as KubeObject) : sent).metadata);
  const isStatus = call.subresource === 'status';
  const { status, ...rest } = (isStatus ? old : sent) as Stateful;
  const kept = kind.statusSubresource ? ((isStatus ? sent : old) as Stateful).status : status;
  const { name, namespace, uid, creationTimestamp, deletionTimestamp, resourceVersion } = old.metadata;
  const fixed = { name, namespace, uid, creationTimestamp, deletionTimestamp, resourceVersion };
  const next = { ...rest, apiVersion: old.apiVersion, kind: old.kind, ...(kept !== undefined && { status: kept }) };
  const metadata = { ...rest.metadata, ...fixed, managedFields: sent.metadata.managedFields };
  const counted = { ...next, metadata: { ...metadata, generation: generationAfter(kind, old, { ...next, metadata }) } };
  return verb === 'apply' ? counted : trackUpdate(kind, { old, next: counted }, author);
}

function patched(call: WriteCall, old: KubeObject, author: Author): KubeObject {
  const { kind, verb, headers, query } = call;
  const body = call.body as Stateful;
  if (verb === 'update') return body;
  if (verb === 'apply') {
    const { status, ...main } = body;
    const config = call.subresource === 'status' ? { status } : kind.statusSubresource ? main : body;
    return applyFields(kind, { live: old, config, force: query.get('force') === 'true' }, author);
  }
  if (headers['content-type'] === 'application/merge-patch+json') return applyMergePatch(old, body) as never;
  try {
    return applyJsonPatch(old, call.body as JsonPatch) as never;
  } catch (error) {
    if (!(error instanceof JsonPatchError)) throw error;
    throw patchDoesNotFit();
  }
}

interface Claims {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** @throws Refusal 409 when the object is not the one, or not in the state, that the request was made for */
function checkClaims(call: WriteCall, { metadata }: KubeObject, claims: Claims = {}): void {
  const { uid = metadata.uid, resourceVersion = metadata.resourceVersion } = claims;
  if (uid !== metadata.uid) {
    throw conflict(call, `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`);
  }
  if (resourceVersion !== metadata.resourceVersion) {
    throw conflict(call, 'the object has been modified; please apply your changes to the latest version and try again');
  }
}
