/** What is wrong with a strategic merge patch, in the words of a real server. */
import type { JsonObject, JsonValue } from '@lifeline/core';
import { ApiError, badRequest } from '../api-error.ts';
import { goPrint } from '../go-text.ts';
import { goTypeName } from '../go-type.ts';

export const badPrimitiveList = (): ApiError => badRequest('invalid patch format of primitive list');

export const badRetainKeys = (): ApiError => badRequest('invalid patch format of retainKeys');

export const badElementOrder = (): ApiError => badRequest('invalid patch format of setElementOrder list');

export const listOfLists = (): ApiError => failure(422, 'lists of lists are not supported');

/** What a real server has no code for is its own fault. */
export const unmergeable = (message: string): ApiError => failure(500, message);

const failure = (code: number, message: string): ApiError => new ApiError({ code, reason: '', message });

export const noMergeKey = (item: JsonObject, key: string): ApiError =>
  unmergeable(`map: ${goPrint(item)} does not contain declared merge key: ${key}`);

export const badDirective = (directive: JsonValue, patch: JsonObject): ApiError =>
  unmergeable(`unknown patch type: ${goPrint(directive)} in map: ${goPrint(patch)}`);

export const badValue = (expected: 'list' | 'object', actual: JsonValue): ApiError =>
  unmergeable(`expected a ${goTypeName(expected === 'list' ? [] : {})}, but received a ${shownType(actual)}`);

/** `%s` of a reflected type. */
const shownType = (value: JsonValue): string => (value === null ? '%!s(<nil>)' : goTypeName(value));

const goKinds: Readonly<Record<string, string>> = { number: 'int64', array: 'slice', object: 'map' };

/**
 * What Go says of a patched object that is not of its type: a strategic merge patch makes an object without a text between, and there
 * its decoder has other words.
 * @param complaint as of a text
 * @see kubernetes/apimachinery@v0.36.3 pkg/runtime/converter.go
 */
export function restoreError(complaint: string): string {
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
