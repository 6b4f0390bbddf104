/** From the bytes of a patch to the patch, and what a strict reader says of it. */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@lifeline/core';
import { ApiError, badRequest } from '../api-error.ts';
import { goJsonName } from '../go-type.ts';
import { asGoStores } from './body-value.ts';
import { DecodeError } from './decode-error.ts';
import { type BodyValue, duplicateFlaws, readJsonBody, readYamlBody, unknownFlaw } from './read-body.ts';

export interface ReadPatch<T> {
  readonly patch: T;
  /** Whether there are numbers that Go may write otherwise. */
  readonly hasExactNumbers: boolean;
  readonly flaws: readonly string[];
}

const operationLimit = 10_000;
const operationFields = ['op', 'path', 'from', 'value'];

/** @param strict how a real server reads it depends on it, and what it says of what it cannot read @throws ApiError 400, 413 */
export function readJsonPatch(bytes: Uint8Array, strict: boolean): ReadPatch<readonly JsonValue[]> {
  const prefix = strict ? 'error decoding patch: ' : '';
  const body = read(() => readJsonBody(bytes), prefix);
  const { value } = body;
  if (value !== null && !isJsonArray(value)) {
    throw badRequest(
      prefix + mistyped(value, `value of type ${strict ? '[]handlers.jsonPatchOp' : 'jsonpatch.Patch'}`),
    );
  }
  const operations = value ?? [];
  if (strict) for (const operation of operations) checkOperation(operation);
  if (operations.length > operationLimit) {
    const message = `Request entity too large: The allowed maximum operations in a JSON patch is ${operationLimit}, got ${operations.length}`;
    throw new ApiError({ code: 413, reason: 'RequestEntityTooLarge', message });
  }
  const flaws = strict ? operationFlaws(operations, body).map((flaw) => `json patch ${flaw}`) : [];
  return { patch: operations, hasExactNumbers: body.hasExactNumbers, flaws };
}

function checkOperation(operation: JsonValue): void {
  const refuse = (value: JsonValue, target: string): never => {
    throw badRequest(`error decoding patch: ${mistyped(value, target)}`);
  };
  if (operation === null) return;
  if (!isJsonObject(operation)) return refuse(operation, 'value of type handlers.jsonPatchOp');
  for (const name of ['op', 'path', 'from']) {
    const text = operation[name] ?? '';
    if (typeof text !== 'string') refuse(text, `struct field jsonPatchOp.${name} of type string`);
  }
}

/** In the order of the text where a field stands twice. */
function operationFlaws(operations: readonly JsonValue[], { members }: BodyValue): readonly string[] {
  const unknown = operations.flatMap((operation, index) =>
    isJsonObject(operation)
      ? Object.keys(operation).flatMap((key) => (operationFields.includes(key) ? [] : [`[${index}].${key}`]))
      : [],
  );
  if (!members) return unknown.map(unknownFlaw);
  const left = new Set(unknown);
  return members.flatMap(({ path, repeated }) => {
    if (left.delete(path)) return [unknownFlaw(path)];
    return repeated ? [`duplicate field "${path}"`] : [];
  });
}

/** @param strict as for a JSON patch @throws ApiError 400 */
export function readMergePatch(bytes: Uint8Array, strict: boolean): ReadPatch<JsonObject> {
  const prefix = 'error decoding patch: ';
  const body = read(() => readJsonBody(bytes), prefix, strict);
  const { value } = body;
  if (isJsonObject(value)) return membersPatch(value, body, strict ? prefix : undefined);
  throw badRequest(strict && value !== null ? prefix + mistyped(value, mapType) : invalidPatch);
}

/** @throws ApiError 400 */
export function readStrategicPatch(bytes: Uint8Array): ReadPatch<JsonObject> {
  const body = read(() => readJsonBody(bytes), '');
  const { value } = body;
  if (value !== null && !isJsonObject(value)) throw badRequest(mistyped(value, mapType));
  return membersPatch(value ?? {}, body, '');
}

const mapType = 'value of type map[string]interface {}';
const invalidPatch = 'Invalid JSON Patch';

/** @param prefix of what is said of a number that Go cannot hold; undefined: nothing is */
function membersPatch(patch: JsonObject, body: BodyValue, prefix: string | undefined): ReadPatch<JsonObject> {
  if (body.hasExactNumbers && prefix !== undefined) read(() => asGoStores(patch), prefix);
  return { patch, hasExactNumbers: body.hasExactNumbers, flaws: duplicateFlaws(body) };
}

/** @throws ApiError 400 */
export function readConfiguration(bytes: Uint8Array): ReadPatch<JsonObject> {
  const body = read(() => readYamlBody(bytes), 'error decoding YAML: error converting YAML to JSON: ');
  const { value, yamlFlaw } = body;
  if (value !== null && !isJsonObject(value)) {
    const why = `error unmarshaling JSON: while decoding JSON: ${mistyped(value, mapType)}`;
    throw badRequest(`error decoding YAML: ${why}`);
  }
  const flaws = yamlFlaw === undefined ? [] : [`error converting YAML to JSON: ${yamlFlaw}`];
  return {
    patch: (body.hasExactNumbers ? asGoStores(value ?? {}) : (value ?? {})) as JsonObject,
    hasExactNumbers: false,
    flaws,
  };
}

const mistyped = (value: JsonValue, target: string): string =>
  `json: cannot unmarshal ${goJsonName(value)} into Go ${target}`;

/** @param told whether it is told what is wrong */
function read<T>(parse: () => T, prefix: string, told = true): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof DecodeError) throw badRequest(told ? prefix + error.complaint : invalidPatch);
    throw error;
  }
}
