import { PlatformError } from '../errors.ts';
import { deepEqual } from '../json/equal.ts';
import { sameValue } from '../json/number.ts';
import { ownValue } from '../json/own.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import { insert, type Location, lookup, remove, substitute } from './location.ts';
import { jsonPointer, pointerTokens } from './pointer.ts';

/** One operation of RFC 6902. `value` is JSON. */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };

export type JsonPatch = readonly JsonPatchOperation[];

/**
 * - `invalid`: no document could take this operation: unknown, incomplete, not a pointer, a move into itself, or removing everything.
 * - `missing`: a location that must exist does not.
 * - `test-failed`: a `test` found another value.
 */
export type JsonPatchErrorCode = 'invalid' | 'missing' | 'test-failed';

/** A patch that was not applied. Its message names locations, never values. */
export class JsonPatchError extends PlatformError<JsonPatchErrorCode> {
  /** The position of the failed operation; -1 for the patch as a whole. */
  readonly index: number;

  constructor(code: JsonPatchErrorCode, message: string, index: number) {
    super(code, index < 0 ? message : `operation ${index}: ${message}`);
    this.index = index;
  }
}

/**
 * The document after a JSON patch (RFC 6902): after all of its operations, or an error and no document.
 *
 * Guarantees: neither input is changed; the result shares structure with both. `test` compares numbers by value, exactly, as the RFC
 * asks: 1 and 1.0 are equal, 9007199254740993 and 9007199254740992 are not. The patch is checked as it runs, so one from the wire may be
 * passed as it is. Unknown members of an operation are ignored.
 * @throws JsonPatchError
 */
export function applyJsonPatch(document: unknown, patch: JsonPatch): JsonValue {
  if (!Array.isArray(patch)) throw new JsonPatchError('invalid', 'a JSON patch is an array', -1);
  return patch.reduce<JsonValue>(applyOperation, document as JsonValue);
}

function applyOperation(document: JsonValue, operation: unknown, index: number): JsonValue {
  const fail = (code: JsonPatchErrorCode, message: string): never => {
    throw new JsonPatchError(code, message, index);
  };
  if (!isJsonObject(operation)) return fail('invalid', 'not an object');

  const pointer = (name: 'path' | 'from'): Location => {
    const text = ownValue(operation, name);
    const tokens = typeof text === 'string' ? pointerTokens(text) : undefined;
    return tokens ?? fail('invalid', `"${name}" is not a JSON pointer`);
  };
  const value = (): JsonValue => {
    const given = ownValue(operation, 'value');
    return given === undefined ? fail('invalid', '"value" is missing') : given;
  };
  const present = (result: JsonValue | undefined, location: Location): JsonValue =>
    result === undefined ? fail('missing', `no such location: "${jsonPointer(...location)}"`) : result;

  const op = ownValue(operation, 'op');
  const path = pointer('path');
  switch (typeof op === 'string' ? op : '') {
    case 'add':
      return present(insert(document, path, value()), path);
    case 'replace':
      return present(substitute(document, path, value()), path);
    case 'remove':
      if (path.length === 0) return fail('invalid', 'the whole document cannot be removed');
      return present(remove(document, path), path);
    case 'test':
      if (deepEqual(present(lookup(document, path), path), value(), sameValue)) return document;
      return fail('test-failed', `another value at "${jsonPointer(...path)}"`);
    case 'copy': {
      const from = pointer('from');
      return present(insert(document, path, present(lookup(document, from), from)), path);
    }
    case 'move': {
      const from = pointer('from');
      const moved = present(lookup(document, from), from);
      if (!from.every((token, depth) => token === path[depth])) {
        return present(insert(present(remove(document, from), from), path, moved), path);
      }
      return from.length === path.length ? document : fail('invalid', 'a value cannot move into itself');
    }
    default:
      return fail('invalid', 'no such "op"');
  }
}
