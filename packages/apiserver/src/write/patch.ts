import { applyMergePatch, isJsonObject, JsonError, type JsonObject, type JsonValue } from '@lifeline/core';
import { applyConfiguration } from '../apply/apply.ts';
import { ApiError, badRequest, invalid } from '../api-error.ts';
import { invalidValue } from '../field-error.ts';
import { goJson, goPrint } from '../go-text.ts';
import type { Call, Handler } from '../http/call.ts';
import { respondObject } from '../http/respond.ts';
import { applyStrategicMergePatch } from '../patch/strategic.ts';
import { apiVersionOf, messageTypeOf, type StoredObject } from '../resources/resource.ts';
import type { Server } from '../server-parts.ts';
import { type PatchType, patchType } from './content-type.ts';
import { inNamespace, refuseOtherName } from './agree-with-path.ts';
import { DecodeError } from './decode-error.ts';
import { decodeObject } from './decode-object.ts';
import { patchDocument } from './json-patch.ts';
import { update } from './operations.ts';
import { type ReadPatch, readConfiguration, readJsonPatch, readMergePatch, readStrategicPatch } from './read-patch.ts';
import { patchScale } from './scale.ts';
import { strictDecodingError, warningsOf } from './strict-decoding.ts';
import { withWarnings } from './warnings.ts';
import { readWriteOptions, type WriteOptions } from './write-options.ts';
import { callerAsWriter, type Writer } from './writer.ts';

export const patchObject: Handler = (server, call) => {
  const { request, resource, query, name = '', namespace, subresource } = call;
  const type = patchType(request.headers['content-type'], resource.decoding === 'typed');
  const options = readWriteOptions(query, 'PatchOptions', type === 'apply');
  if (subresource === 'scale') return patchScale(server, call, { type, options });
  const writer = callerAsWriter(call, options);
  const patcher = new Patcher(server, call, { type, options, writer });
  const { object, created } = withWarnings(writer.warnings, () =>
    update(server, call, {
      name: { name, namespace },
      change: (live) => patcher.patched(live),
      writer,
      tracked: type === 'apply',
      mayCreate: type === 'apply',
    }),
  );
  return respondObject(call, object, { code: created ? 201 : 200, headers: writer.warnings.headers });
};

export interface PatchRequest {
  readonly type: PatchType;
  readonly options: WriteOptions;
}

const nothing = new Uint8Array();

/** One patch of one object. */
class Patcher {
  readonly #server: Server;
  readonly #call: Call;
  readonly #request: PatchRequest & { readonly writer: Writer };

  constructor(server: Server, call: Call, request: PatchRequest & { readonly writer: Writer }) {
    this.#server = server;
    this.#call = call;
    this.#request = request;
  }

  /** The object after the patch, in the version of the call. @throws ApiError 400, 409, 422 */
  patched(live: StoredObject | undefined): StoredObject {
    const object = inNamespace(this.#call, this.#apply(live));
    refuseOtherName(this.#call, object);
    return object;
  }

  #apply(live: StoredObject | undefined): StoredObject {
    const { type, options } = this.#request;
    if (type === 'apply') return this.#applied(live);
    if (!live) throw new TypeError('only an apply creates');
    const body = this.#call.request.body ?? nothing;
    const strict = options.fieldValidation !== 'Ignore';
    switch (type) {
      case 'json': {
        const read = readJsonPatch(body, strict);
        const value = patchDocument(live, read.patch);
        return this.#decoded({ read, value, shown: () => goJson(value) });
      }
      case 'merge': {
        const read = readMergePatch(body, strict);
        const value = tooDeepAsBadRequest(() => applyMergePatch(live, read.patch));
        return this.#decoded({ read, value, shown: () => goJson(value) });
      }
      case 'strategic': {
        const read = readStrategicPatch(body);
        const value = applyStrategicMergePatch(messageTypeOf(this.#call.resource), live, read.patch);
        return this.#decoded({ read, value, shown: () => goPrint(read.patch), inWords: restoreError });
      }
    }
  }

  /** @throws ApiError 422, or what the patch has for it, of what can be no object of the resource */
  #decoded({ read, value, shown, inWords = (complaint) => complaint, isMerged, unfit }: Decoding): StoredObject {
    const { fieldValidation } = this.#request.options;
    const strict = fieldValidation !== 'Ignore';
    const refuse = (why: string): Error =>
      invalid({ resource: { group: '', kind: '', plural: '' } }, [invalidValue('patch', shown(), why)]);
    const body = { value, hasExactNumbers: read.hasExactNumbers, members: undefined, yamlFlaw: undefined };
    try {
      const { resources } = this.#server;
      const { object, flaws } = decodeObject({
        resources,
        spoken: this.#call,
        body,
        strict,
        text: () => goJson(value),
        isMerged,
      });
      const all = strict ? [...read.flaws, ...flaws] : [];
      if (fieldValidation === 'Strict' && all.length > 0) throw refuse(strictDecodingError(all));
      this.#warn(all);
      return object;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      throw unfit ? unfit(error.complaint) : refuse(inWords(error.complaint));
    }
  }

  #warn(flaws: readonly string[]): void {
    for (const flaw of flaws) for (const warning of warningsOf(flaw)) this.#request.writer.warnings.add(warning);
  }

  #applied(live: StoredObject | undefined): StoredObject {
    const { resource, version, request } = this.#call;
    const { options, writer } = this.#request;
    const { patch, flaws } = readConfiguration(request.body ?? nothing);
    refuseOtherType(patch, { apiVersion: apiVersionOf(resource, version.name), kind: resource.kind });
    const { author } = writer;
    const applied = { ...patch, metadata: patch['metadata'] ?? {} } as unknown as StoredObject;
    const merged = applyConfiguration({ resource, live, applied, author, force: options.force });
    if (flaws.length > 0 && options.fieldValidation === 'Strict') {
      throw badRequest(`error strict decoding YAML: ${flaws.join(', ')}`);
    }
    if (options.fieldValidation === 'Warn') this.#warn(flaws);
    return this.#decoded({
      read: { patch: [], hasExactNumbers: false, flaws: [] },
      value: merged,
      shown: () => goJson(merged),
      isMerged: true,
      unfit: (complaint) => unconvertible(patch, complaint),
    });
  }
}

interface Decoding {
  readonly read: ReadPatch<unknown>;
  readonly value: JsonValue;
  /** What of the patch is shown in a message. */
  readonly shown: () => string;
  readonly inWords?: (complaint: string) => string;
  readonly isMerged?: boolean;
  /** In place of the usual refusal of what Go would not decode. */
  readonly unfit?: (complaint: string) => Error;
}

/** @throws ApiError 400 */
function refuseOtherType(
  sent: JsonObject,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
): void {
  const said = { apiVersion: sent['apiVersion'] ?? '', kind: sent['kind'] ?? '' };
  if (said.apiVersion === apiVersion && said.kind === kind) return;
  const parts = (typeof said.apiVersion === 'string' ? said.apiVersion : '').split('/').reverse();
  const [version = '', group = ''] = parts;
  throw badRequest(`invalid object type: ${group}/${version}, Kind=${typeof said.kind === 'string' ? said.kind : ''}`);
}

/**
 * Of an applied configuration whose values have the right JSON types and still cannot be read.
 * @see kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/structuredmerge.go Apply
 */
function unconvertible({ apiVersion, kind, metadata }: JsonObject, complaint: string): ApiError {
  const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
  const { namespace, name } = isJsonObject(metadata) ? metadata : {};
  const type = `${text(apiVersion).includes('/') ? '' : '/'}${text(apiVersion)}, Kind=${text(kind)}`;
  const why = complaint
    .replace(/^json: cannot unmarshal number .* of type (int\d\d)$/, 'cannot convert float64 to $1')
    .replace(/^(?=illegal base64)/, 'error decoding from json: ');
  return new ApiError({
    code: 500,
    reason: '',
    message:
      `failed to convert new object (${text(namespace)}/${text(name)}; ${type}) to proper version: ` +
      `unable to convert unstructured object to ${type}: ${why}`,
  });
}

const goKinds: Readonly<Record<string, string>> = { number: 'int64', array: 'slice', object: 'map' };

/**
 * A strategic merge patch makes an object without a text between, and wrong types have other words there.
 * @see kubernetes/apimachinery@v0.36.3 pkg/runtime/converter.go
 */
function restoreError(complaint: string): string {
  if (complaint.startsWith('illegal base64')) return `error decoding from json: ${complaint}`;
  const match = /^json: cannot unmarshal (\w+) into Go .* of type (.+)$/.exec(complaint);
  if (!match) return complaint;
  const [, form = '', target = ''] = match;
  const found = goKinds[form] ?? form;
  if (target.startsWith('[]')) return `cannot restore slice from ${found}`;
  if (target.startsWith('map[')) return `cannot restore map from ${found}`;
  if (/^v1\.[A-Z]/.test(target)) return `cannot restore struct from: ${found}`;
  return target === 'string' && form === 'number' ? 'cannot convert int64 to string' : `unrecognized type: ${target}`;
}

function tooDeepAsBadRequest<T>(patch: () => T): T {
  try {
    return patch();
  } catch (error) {
    if (error instanceof JsonError && error.code === 'too-deep') throw badRequest('exceeded max depth');
    throw error;
  }
}
