import { applyMergePatch, JsonError, type JsonValue } from '@lifeline/core';
import { applyConfiguration } from '../apply/apply.ts';
import { unconvertible } from '../apply/configuration.ts';
import { badRequest, invalid } from '../api-error.ts';
import { invalidValue } from '../field-error.ts';
import { goJson, goPrint } from '../go-text.ts';
import type { Call, Handler } from '../http/call.ts';
import { respondObject } from '../http/respond.ts';
import { restoreError } from '../patch/patch-error.ts';
import { applyStrategicMergePatch } from '../patch/strategic.ts';
import { messageTypeOf, type StoredObject } from '../resources/resource.ts';
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
    const { resource, request } = this.#call;
    const { options, writer } = this.#request;
    const { patch, flaws } = readConfiguration(request.body ?? nothing);
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

function tooDeepAsBadRequest<T>(patch: () => T): T {
  try {
    return patch();
  } catch (error) {
    if (error instanceof JsonError && error.code === 'too-deep') throw badRequest('exceeded max depth');
    throw error;
  }
}
