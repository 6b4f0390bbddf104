/** The object in the body of a create or an update. */
import { type ApiError, badRequest } from '../api-error.ts';
import { bodySummary } from '../body-summary.ts';
import { goQuote } from '../go-text.ts';
import type { Call } from '../http/call.ts';
import { decodeProtobuf } from '../protobuf/decode.ts';
import { apiVersionOf, type StoredObject } from '../resources/resource.ts';
import type { Server } from '../server-parts.ts';
import { bodyFormat } from './content-type.ts';
import { DecodeError } from './decode-error.ts';
import { decodeObject, groupVersionOf } from './decode-object.ts';
import { type BodyValue, readJsonObject, readYamlBody } from './read-body.ts';
import { type FieldValidation, strictDecodingError, warningsOf } from './strict-decoding.ts';
import type { Warnings } from './warnings.ts';

export interface BodyOptions {
  readonly fieldValidation: FieldValidation;
  readonly warnings: Warnings;
}

/** @throws ApiError 400, 415 */
export function decodeBody(server: Server, call: Call, { fieldValidation, warnings }: BodyOptions): StoredObject {
  const { request, resource, version } = call;
  const format = bodyFormat(request.headers['content-type'], resource.decoding);
  const bytes = request.body ?? nothing;
  try {
    const read =
      format === 'protobuf'
        ? decoded(decodeProtobuf(bytes, resource.kind))
        : format === 'yaml'
          ? readYamlBody(bytes)
          : readJsonObject(bytes);
    const isMerged = resource.decoding === 'typed' && read.merged !== undefined;
    const body = isMerged ? { ...read, value: read.merged } : read;
    const strict = fieldValidation !== 'Ignore';
    const text = (): string => utf8.decode(bytes);
    const { object, says, flaws } = decodeObject({ resources: server.resources, spoken: call, body, strict, text });
    if (fieldValidation === 'Strict' && flaws.length > 0) throw new DecodeError(strictDecodingError(flaws), says);
    for (const flaw of flaws) for (const warning of warningsOf(flaw)) warnings.add(warning);
    const [given, expected] = [groupVersionOf(says), apiVersionOf(resource, version.name)];
    if (given === expected) return object;
    throw badRequest(`the API version in the data (${given}) does not match the expected API version (${expected})`);
  } catch (error) {
    throw error instanceof DecodeError ? undecodable(error, resource.kind, bytes) : error;
  }
}

const nothing = new Uint8Array();
const utf8 = new TextDecoder();

const decoded = (value: BodyValue['value']): BodyValue => ({
  value,
  hasExactNumbers: true,
  members: undefined,
  yamlFlaw: undefined,
});

/** @param kind what was expected */
function undecodable({ complaint, as }: DecodeError, kind: string, bytes: Uint8Array): ApiError {
  return badRequest(
    as && as.kind !== ''
      ? `${as.kind} in version ${goQuote(as.version)} cannot be handled as a ${kind}: ${complaint}`
      : `the object provided is unrecognized (must be of type ${kind}): ${complaint} (${bodySummary(bytes)})`,
  );
}
