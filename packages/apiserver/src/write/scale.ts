/** Writes to the `scale` subresource. */
import {
  applyMergePatch,
  isJsonObject,
  type JsonNumber,
  type JsonObject,
  type JsonValue,
  type TransportResponse,
} from '@lifeline/core';
import { trackUpdate } from '../apply/track.ts';
import { ApiError, badRequest } from '../api-error.ts';
import type { Call, Handler } from '../http/call.ts';
import { respondJson } from '../http/respond.ts';
import { type Resource, type StoredObject, withMetadata } from '../resources/resource.ts';
import { scaleWith, withReplicas } from '../resources/scale.ts';
import type { Server } from '../server-parts.ts';
import { bodyFormat, type PatchType } from './content-type.ts';
import { inNamespace, refuseOtherName } from './agree-with-path.ts';
import { DecodeError } from './decode-error.ts';
import { patchDocument } from './json-patch.ts';
import { update } from './operations.ts';
import { readJsonBody, readYamlBody } from './read-body.ts';
import { readJsonPatch, readMergePatch } from './read-patch.ts';
import { readWriteOptions, type WriteOptions } from './write-options.ts';
import { callerAsWriter } from './writer.ts';

/** A Scale that was sent, as far as it counts. */
interface Scale {
  readonly metadata: {
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
  };
  readonly replicas: number | JsonNumber;
}

export const updateScale: Handler = (server, call) => {
  const options = readWriteOptions(call.query, 'UpdateOptions');
  const format = bodyFormat(call.request.headers['content-type'], 'structural');
  const body = call.request.body ?? new Uint8Array();
  const scale = checked(
    call,
    scaleIn(readScale(() => (format === 'yaml' ? readYamlBody(body) : readJsonBody(body)).value)),
  );
  return writeScale(server, call, { options, uid: scale.metadata.uid || undefined, change: () => scale });
};

export function patchScale(
  server: Server,
  call: Call,
  { type, options }: { readonly type: PatchType; readonly options: WriteOptions },
): TransportResponse {
  const body = call.request.body ?? new Uint8Array();
  const change = (scale: JsonObject): Scale => {
    const strict = options.fieldValidation !== 'Ignore';
    switch (type) {
      case 'json':
        return checked(call, scaleIn(patchDocument(scale, readJsonPatch(body, strict).patch)));
      case 'merge':
      case 'strategic':
        return checked(call, scaleIn(applyMergePatch(scale, readMergePatch(body, strict).patch)));
      case 'apply':
        throw cannotApply();
    }
  };
  return writeScale(server, call, { options, change });
}

/** Nor can a real server, for custom resources. */
const cannotApply = (): ApiError =>
  new ApiError({
    code: 500,
    reason: '',
    message:
      'failed to create manager for existing fields: failed to convert live object (/; autoscaling/v1, Kind=Scale) to proper version: request to convert CR to an invalid group/version: autoscaling/v1',
  });

interface ScaleWrite {
  readonly options: WriteOptions;
  readonly uid?: string | undefined;
  readonly change: (scale: JsonObject) => Scale;
}

function writeScale(server: Server, call: Call, { options, uid, change }: ScaleWrite): TransportResponse {
  const { resource, name = '', namespace } = call;
  const writer = callerAsWriter(call, options);
  const { object } = update(server, call, {
    name: { name, namespace },
    writer,
    uid,
    tracked: true,
    change: (live) => {
      if (!live) throw new TypeError('a scale creates nothing');
      const { replicas, metadata } = change(scaleWith(resource, live));
      const { resourceVersion = live.metadata.resourceVersion } = metadata;
      const next = withMetadata(withReplicas(resource, live, replicas), { resourceVersion });
      return withoutScaleEntry(trackUpdate({ resource, live, next, author: writer.author }), resource);
    },
  });
  return respondJson(call, scaleWith(resource, object), { headers: writer.warnings.headers });
}

/** A scale takes the replicas of a custom resource from who owned them, and gives them to nobody. */
function withoutScaleEntry(object: StoredObject, { decoding }: Resource): StoredObject {
  const entries = object.metadata.managedFields;
  if (decoding === 'typed' || !entries?.some(({ subresource }) => subresource === 'scale')) return object;
  return withMetadata(object, { managedFields: entries.filter(({ subresource }) => subresource !== 'scale') });
}

function checked(call: Call, scale: Scale): Scale {
  const { namespace, ...metadata } = scale.metadata;
  inNamespace(call, { metadata: { ...metadata, namespace } } as StoredObject);
  refuseOtherName(call, scale);
  return scale;
}

function readScale(read: () => JsonValue): JsonValue {
  try {
    return read();
  } catch (error) {
    throw error instanceof DecodeError ? noScale() : error;
  }
}

/** A real server's answer to whatever it cannot decode as a Scale. */
const noScale = (): ApiError =>
  badRequest('no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"');

/** @throws ApiError 400 */
function scaleIn(value: JsonValue): Scale {
  if (!isJsonObject(value)) throw noScale();
  const { kind = 'Scale', apiVersion = 'autoscaling/v1', metadata = {}, spec = {} } = value;
  if (kind !== 'Scale' || apiVersion !== 'autoscaling/v1') throw noScale();
  if (!isJsonObject(metadata) || !isJsonObject(spec ?? {})) throw noScale();
  const replicas = (spec as JsonObject | null)?.['replicas'] ?? 0;
  if (typeof replicas !== 'number' || !Number.isInteger(replicas)) throw noScale();
  const text = (key: string): JsonObject => (typeof metadata[key] === 'string' ? { [key]: metadata[key] } : {});
  return {
    metadata: { ...text('name'), ...text('namespace'), ...text('uid'), ...text('resourceVersion') },
    replicas,
  };
}
