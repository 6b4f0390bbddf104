/**
 * The rules that the API states of its own messages, as protoc-gen-validate checks them. Envoy Gateway checks every resource of an answer
 * with it, and publishes nothing when one breaks a rule.
 * @see https://github.com/bufbuild/protoc-gen-validate
 */
import {
  type DescExtension,
  type DescField,
  type DescOneof,
  fromBinary,
  getExtension,
  hasExtension,
} from '@bufbuild/protobuf';
import { reflect, type ReflectList, type ReflectMap, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import type { Duration } from '@bufbuild/protobuf/wkt';
import { describeError } from '@lifeline/core';
import { envoyRegistry, messageType } from './descriptors.ts';
import { EnvoyApiError } from './error.ts';

/** The constraints of one kind of value: as many as the messages that a hook carries make use of. */
interface Constraints {
  readonly required?: boolean;
  readonly skip?: boolean;
  readonly ignoreEmpty?: boolean;
  readonly definedOnly?: boolean;
  readonly minLen?: bigint;
  readonly maxLen?: bigint;
  readonly maxBytes?: bigint;
  readonly minItems?: bigint;
  readonly maxItems?: bigint;
  readonly items?: Rules;
  readonly gt?: Bound;
  readonly gte?: Bound;
  readonly lt?: Bound;
  readonly lte?: Bound;
  readonly wellKnown?: { readonly case: string | undefined; readonly value?: number };
  readonly strict?: boolean;
}
type Bound = number | bigint | Duration;

interface Rules {
  readonly message?: Constraints;
  readonly type: { readonly case?: string; readonly value?: Constraints };
}

/**
 * What of a message breaks a rule: the path without its indexes, and the rule. `Any`s are not looked into, as by Envoy Gateway.
 * @throws EnvoyApiError `unknown-type`, `unreadable`
 */
export function brokenRules(typeName: string, bytes: Uint8Array): string[] {
  const desc = messageType(typeName);
  const broken: string[] = [];
  let message: ReflectMessage;
  try {
    message = reflect(desc, fromBinary(desc, bytes));
  } catch (error) {
    throw new EnvoyApiError('unreadable', `${typeName}: ${describeError(error)}`, { cause: error });
  }
  checkMessage(message, { path: '', broken });
  return broken;
}

interface Place {
  readonly path: string;
  readonly broken: string[];
}

const extension = (name: string): DescExtension => {
  const found = envoyRegistry().getExtension(name);
  if (!found) throw new EnvoyApiError('unknown-type', name);
  return found;
};

/** Reading an option takes longer than all else here. */
const known = new WeakMap<DescField, { readonly rules: Rules | undefined }>();

function rulesOf(field: DescField): Rules | undefined {
  let held = known.get(field);
  if (!held) known.set(field, (held = { rules: readRules(field) }));
  return held.rules;
}

function readRules({ proto: { options } }: DescField): Rules | undefined {
  const rules = extension('validate.rules');
  return options && hasExtension(options, rules) ? (getExtension(options, rules) as Rules) : undefined;
}

/** Only what is stated: the rest of the message is defaults, by its prototype. */
const constraintsOf = (rules: Rules | undefined): Constraints => ({ ...rules?.type.value });

const knownOneofs = new WeakMap<DescOneof, boolean>();

function isRequired(oneof: DescOneof): boolean {
  let held = knownOneofs.get(oneof);
  if (held === undefined) knownOneofs.set(oneof, (held = readRequired(oneof)));
  return held;
}

function readRequired({ proto: { options } }: DescOneof): boolean {
  const required = extension('validate.required');
  return options !== undefined && hasExtension(options, required) && getExtension(options, required) === true;
}

function checkMessage(message: ReflectMessage, { path, broken }: Place): void {
  for (const oneof of message.oneofs) {
    if (isRequired(oneof) && !message.oneofCase(oneof)) broken.push(`${path}.${oneof.name}: required`);
  }
  for (const field of message.fields) checkField(message, field, { path: `${path}.${field.name}`, broken });
}

function checkField(message: ReflectMessage, field: DescField, place: Place): void {
  const rules = rulesOf(field);
  const isSet = message.isSet(field);
  // What another case of a oneof would have to fulfil does not matter.
  if (field.oneof && !isSet) return;
  const constraints = constraintsOf(rules);
  if (!isSet && (rules?.message?.required || constraints.required)) place.broken.push(`${place.path}: required`);
  const value: unknown = message.get(field);
  switch (field.fieldKind) {
    case 'list': {
      const items = [...(value as ReflectList)];
      checkSize(items.length, constraints, place);
      for (const item of items) checkValue(field, item, { rules: constraints.items, place });
      return;
    }
    case 'map': {
      for (const item of (value as ReflectMap).values()) checkValue(field, item, { rules: undefined, place });
      return;
    }
    case 'message':
      if (isSet) checkValue(field, value, { rules, place });
      return;
    case 'enum':
    case 'scalar':
      checkValue(field, value, { rules, place });
  }
}

interface Held {
  readonly rules: Rules | undefined;
  readonly place: Place;
}

function checkValue(field: DescField, value: unknown, { rules, place }: Held): void {
  const constraints = constraintsOf(rules);
  if (field.message) {
    const message = value as ReflectMessage;
    if (rules?.message?.skip) return;
    switch (message.desc.typeName) {
      case 'google.protobuf.Any':
        return;
      case 'google.protobuf.Duration':
        return checkBounds(message.message as Duration, constraints, place);
    }
    const inner = message.desc.typeName.endsWith('Value') ? message.desc.fields[0] : undefined;
    if (inner && message.desc.typeName.startsWith('google.protobuf.') && inner.fieldKind === 'scalar') {
      return checkScalar(message.get(inner), constraints, place);
    }
    return checkMessage(message, place);
  }
  if (field.enum && constraints.definedOnly && !field.enum.value[value as number])
    place.broken.push(`${place.path}: defined_only`);
  checkScalar(value, constraints, place);
}

function checkScalar(value: unknown, constraints: Constraints, place: Place): void {
  if (constraints.ignoreEmpty && (value === '' || value === 0)) return;
  if (typeof value === 'string') checkText(value, constraints, place);
  else if (typeof value === 'number' || typeof value === 'bigint') checkBounds(value, constraints, place);
}

const headerName = /^:?[0-9a-zA-Z!#$%&'*+\-.^_|~`]+$/;
/** Of `KnownRegex`: a header's name; the other is its value. */
const isName = 1;

/** What RFC 9110 lets a header's name or value be; when it is not strict, anything without a line break and a NUL. */
function isHeaderText(text: string, { wellKnown, strict = true }: Constraints): boolean {
  if (!strict) return !/[\n\r]/.test(text) && !text.includes('\0');
  return wellKnown?.value === isName ? headerName.test(text) : !/[^\P{Cc}\t]/u.test(text);
}

function checkText(text: string, constraints: Constraints, { path, broken }: Place): void {
  const { minLen, maxLen, maxBytes, wellKnown } = constraints;
  const length = Array.from(text).length;
  if (minLen !== undefined && length < minLen) broken.push(`${path}: min_len`);
  if (maxLen !== undefined && length > maxLen) broken.push(`${path}: max_len`);
  if (maxBytes !== undefined && Buffer.byteLength(text) > maxBytes) broken.push(`${path}: max_bytes`);
  if (wellKnown?.case === 'wellKnownRegex' && text !== '' && !isHeaderText(text, constraints))
    broken.push(`${path}: well_known_regex`);
}

function checkSize(size: number, { minItems, maxItems }: Constraints, { path, broken }: Place): void {
  if (minItems !== undefined && size < minItems) broken.push(`${path}: min_items`);
  if (maxItems !== undefined && size > maxItems) broken.push(`${path}: max_items`);
}

function checkBounds(value: Bound, { gt, gte, lt, lte }: Constraints, { path, broken }: Place): void {
  const number = amount(value);
  if (gt !== undefined && !(number > amount(gt))) broken.push(`${path}: gt`);
  if (gte !== undefined && !(number >= amount(gte))) broken.push(`${path}: gte`);
  if (lt !== undefined && !(number < amount(lt))) broken.push(`${path}: lt`);
  if (lte !== undefined && !(number <= amount(lte))) broken.push(`${path}: lte`);
}

/** Of a duration: its nanoseconds. */
const amount = (value: Bound): number | bigint =>
  typeof value === 'object' ? value.seconds * 1_000_000_000n + BigInt(value.nanos) : value;
