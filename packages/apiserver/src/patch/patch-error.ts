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
