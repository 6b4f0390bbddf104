/** From the bytes of a body to its value. */
import { JsonError, type JsonValue, parseJson } from '@lifeline/core';
import { asGoStores, survey } from './body-value.ts';
import { DecodeError } from './decode-error.ts';
import { jsonSyntaxError, type Member, membersOf } from './go-json.ts';
import { mergeRepeats } from './merge-repeats.ts';
import { parseYaml, YamlError } from './yaml.ts';

export interface BodyValue {
  readonly value: JsonValue;
  /** Whether there are numbers that Go may write otherwise. */
  readonly hasExactNumbers: boolean;
  /** All members of a JSON text in order, where any stands twice. */
  readonly members: readonly Member[] | undefined;
  /** The value as Go reads it into a struct, where that is another: where any member of a JSON text stands twice. */
  readonly merged?: JsonValue;
  /** What a strict reader says of keys that stand twice in YAML. */
  readonly yamlFlaw: string | undefined;
}

// What is no UTF-8 becomes U+FFFD, a byte order mark stays: as Go has it.
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** @throws DecodeError */
export function readJsonBody(bytes: Uint8Array): BodyValue {
  const text = wellFormed(utf8.decode(bytes));
  const value = parse(text, bytes);
  const { members, hasExactNumbers } = survey(value);
  const repeats = members === memberCount(text) ? undefined : withRepeats(text);
  return { value, hasExactNumbers, members: repeats?.members, ...repeats, yamlFlaw: undefined };
}

/** The same where an object is expected: what is no JSON does not say what it is. @throws DecodeError */
export function readJsonObject(bytes: Uint8Array): BodyValue {
  try {
    return readJsonBody(bytes);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new DecodeError(`couldn't get version/kind; json parse error: ${error.complaint}`);
  }
}

/** @throws DecodeError */
export function readYamlBody(bytes: Uint8Array): BodyValue {
  return asJson(bytes) ?? asYaml(bytes);
}

/** Most of what is sent as YAML is JSON, which is read many times faster. Undefined where YAML may see it otherwise. */
function asJson(bytes: Uint8Array): BodyValue | undefined {
  if (bytes[0] !== openBrace) return undefined;
  try {
    const body = readJsonBody(bytes);
    if (body.members) return undefined;
    return { ...body, value: body.hasExactNumbers ? asGoStores(body.value) : body.value, hasExactNumbers: false };
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

const openBrace = '{'.charCodeAt(0);

function asYaml(bytes: Uint8Array): BodyValue {
  try {
    const { value, repeated } = parseYaml(utf8.decode(bytes));
    const yamlFlaw = repeated.length > 0 ? ['yaml: unmarshal errors:', ...repeated].join('\n  ') : undefined;
    return { value, hasExactNumbers: survey(value).hasExactNumbers, members: undefined, yamlFlaw };
  } catch (error) {
    throw error instanceof YamlError ? new DecodeError(error.text) : error;
  }
}

function parse(text: string, bytes: Uint8Array): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new DecodeError(jsonSyntaxError(bytes) ?? error.message);
  }
}

/** Half a surrogate pair, written as an escape, becomes U+FFFD, too. */
function wellFormed(text: string): string {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return text;
  return text.replace(escapes, (escape, half?: string) => (half === undefined ? escape : String.raw`\ufffd`));
}

/** Pairs first, then halves, then all others: what follows an escaped backslash is no escape. */
const escapes = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(\\u[dD][89a-fA-F][\da-fA-F]{2})|\\[^]/g;

/** How many members a valid JSON text spells out: quotes before colons, where the quote is not escaped. */
const memberCount = (text: string): number => text.match(/(?<=(?<!\\)(?:\\\\)*)"\s*:/g)?.length ?? 0;

function withRepeats(text: string): Required<Pick<BodyValue, 'members' | 'merged'>> | undefined {
  const bytes = Buffer.from(text);
  const members = membersOf(bytes);
  return members.some(({ repeated }) => repeated) ? { members, merged: mergeRepeats(bytes, members) } : undefined;
}

/** `duplicate field "spec.size"`, in the order of the text. */
export const duplicateFlaws = ({ members = [] }: BodyValue): readonly string[] =>
  members.flatMap(({ path, repeated }) => (repeated ? [`duplicate field "${path}"`] : []));

export const unknownFlaw = (path: string): string => `unknown field "${path}"`;
