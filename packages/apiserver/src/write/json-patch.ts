/** JSON patches as a real server takes them: RFC 6902, and what its library lets pass beyond that. */
import {
  applyJsonPatch,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  JsonPatchError,
  jsonPointer,
  type JsonValue,
  ownValue,
  pointerTokens,
} from '@lifeline/core';
import { ApiError } from '../api-error.ts';

/**
 * The document after the patch. Beyond RFC 6902: a replace sets a member that is missing, a test or a copy of one finds null, a value
 * that is left out is null, and indices below 0 count from the end.
 * @throws ApiError 422 where an operation cannot be done
 * @see evanphx/json-patch@v4.13.0 patch.go
 */
export function patchDocument(document: JsonObject, operations: readonly JsonValue[]): JsonValue {
  let patched: JsonValue = document;
  try {
    for (const operation of operations) {
      const translated = translate(patched, isJsonObject(operation) ? operation : {});
      if (translated) patched = applyJsonPatch(patched, [translated as never]);
    }
  } catch (error) {
    if (error instanceof JsonPatchError) throw unprocessable();
    throw error;
  }
  return patched;
}

const unprocessable = (): ApiError =>
  new ApiError({
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
    details: {},
  });

/** The operation by the letter of the RFC. Undefined: it is done already. */
function translate(document: JsonValue, operation: JsonObject): JsonObject | undefined {
  const { op, path, from } = operation;
  const value = operation['value'] ?? null;
  const at = typeof path === 'string' ? fromTheEnd(document, path) : path;
  const source = typeof from === 'string' ? fromTheEnd(document, from) : from;
  switch (typeof op === 'string' ? op : '') {
    case 'add':
      return { op, path: at, value };
    case 'replace':
      return { op: isMissingMember(document, at) ? 'add' : op, path: at, value };
    case 'test':
      return value === null && isMissingMember(document, at) ? undefined : { op, path: at, value };
    case 'copy':
      return isMissingMember(document, source) ? { op: 'add', path: at, value: null } : { op, from: source, path: at };
    default:
      return { ...operation, path: at, from: source };
  }
}

/** Whether a pointer names a member that its object does not have. */
function isMissingMember(document: JsonValue, pointer: JsonValue | undefined): boolean {
  const tokens = typeof pointer === 'string' ? pointerTokens(pointer) : undefined;
  const key = tokens?.at(-1);
  if (!tokens || key === undefined) return false;
  const parent = tokens.slice(0, -1).reduce<JsonValue | undefined>(childOf, document);
  return isJsonObject(parent) && ownValue(parent, key) === undefined;
}

function childOf(node: JsonValue | undefined, token: string): JsonValue | undefined {
  if (isJsonArray(node)) return /^(?:0|[1-9]\d*)$/.test(token) ? node[Number(token)] : undefined;
  return isJsonObject(node) ? ownValue(node, token) : undefined;
}

/** The pointer with indices below 0 counted out. */
function fromTheEnd(document: JsonValue, pointer: string): string {
  if (!/\/-\d/.test(pointer)) return pointer;
  let node: JsonValue | undefined = document;
  const tokens = (pointerTokens(pointer) ?? []).map((token) => {
    const index = isJsonArray(node) && /^-\d+$/.test(token) ? String(node.length + Number(token)) : token;
    node = childOf(node, index);
    return index;
  });
  return jsonPointer(...tokens);
}
