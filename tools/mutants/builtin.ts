import type { Mutant } from './types.ts';

const source = 'packages/apiserver/src';
const decode = { file: `${source}/schema/decode-typed.ts`, test: `${source}/schema/decode-typed.test.ts` };
const scalar = { file: `${source}/schema/go-scalar.ts`, test: decode.test };
const time = { file: `${source}/schema/go-time.ts`, test: decode.test };
const base64 = { file: `${source}/schema/go-base64.ts`, test: `${source}/schema/go-base64.test.ts` };
const reader = { file: `${source}/protobuf/message-reader.ts`, test: `${source}/protobuf/decode.test.ts` };
const answers = `${source}/resources/builtin/builtin-resources.test.ts`;

/** Built-in kinds: bodies decoded by type and from protobuf, and what a server does with them. */
export const mutants: Mutant[] = [
  {
    ...decode,
    id: 'builtin-null-in-map',
    find: 'if (value === null) return zeroOfType(type);',
    replace: "if (value === null) return type.form === 'scalar' ? null : zeroOfType(type);",
    name: 'a null in a map is an empty text',
    why: 'a null in a map or a list is an empty value to Go, not none',
  },
  {
    ...decode,
    id: 'builtin-pointer-kept',
    file: `${source}/schema/empty-value.ts`,
    find: 'if (field.pointer || !isEmpty(field.type, value)) return value;',
    replace: 'if (!isEmpty(field.type, value)) return value;',
    name: 'what a pointer points to stays',
    why: 'an optional 0 or false is not the same as none',
  },
  {
    ...decode,
    id: 'builtin-map-keys',
    find: 'setOwn(out, key, decoded);',
    replace: 'out[key] = decoded;',
    name: 'and those that objects inherit',
    why: '__proto__ is a key of a ConfigMap like any other',
  },
  {
    ...scalar,
    id: 'builtin-int32-range',
    find: "return type === 'int64' || (value >= -(2 ** 31) && value < 2 ** 31) ? { value } : wrong;",
    replace: 'return { value };',
    name: 'leaseDurationSeconds',
    why: 'an int32 holds no 5000000000',
  },
  {
    ...scalar,
    id: 'builtin-integer-text',
    find: String.raw`if (!/^-?\d+$/.test(text)) return wrong;`,
    replace: String.raw`if (!/^-?\d+(?:\.0)?$/.test(text)) return wrong;`,
    name: '1.0',
    why: '1.0 is no integer to Go',
  },
  {
    ...time,
    id: 'builtin-micro-time',
    find: String.raw`this.#take(/^[.,]\d{6}/, '.000000')`,
    replace: String.raw`this.#take(/^[.,]\d{3,6}/, '.000000')`,
    name: '123Z',
    why: 'a MicroTime has six digits',
  },
  {
    ...base64,
    id: 'builtin-base64-padding',
    find: "if (text[at] !== '=') return at - 1;",
    replace: '',
    name: 'YQ=x',
    why: 'padding is not optional',
  },
  {
    ...reader,
    id: 'builtin-protobuf-repeated',
    find: 'const items = (out[name] ??= []) as JsonValue[];',
    replace: 'const items = (out[name] = []) as JsonValue[];',
    name: 'what Go writes is read as its JSON is',
    why: 'a list comes as many fields of one number',
  },
  {
    ...reader,
    id: 'builtin-protobuf-int64',
    find: 'return exactNumber(String(reader.int64()));',
    replace: 'return Number(reader.int64());',
    name: 'what Go writes is read as its JSON is',
    why: 'an int64 may be more than a double holds',
  },
  {
    id: 'builtin-namespace-label',
    file: `${source}/resources/builtin/namespace.ts`,
    find: 'applyDefaults: labelled,',
    replace: '',
    test: answers,
    name: 'Namespace: what it is born with',
    why: 'the label with its name cannot be taken from a namespace',
  },
  {
    id: 'builtin-event-forms',
    file: `${source}/resources/builtin/event-forms.ts`,
    find: "['message', 'note'],",
    replace: '',
    test: answers,
    name: 'Event: the old way, read in the new',
    why: 'one Event is read in two forms',
  },
  {
    id: 'builtin-cluster-ip-stays',
    file: `${source}/resources/builtin/service/flaws.ts`,
    find: "invalidValue(path, now, 'may not change once set')",
    replace: '...[]',
    test: answers,
    name: 'Service: a plain one',
    why: 'the address of a Service does not change',
  },
  {
    id: 'builtin-sealed',
    file: `${source}/resources/builtin/immutable.ts`,
    find: "...(next.immutable === true ? [] : ['immutable'])",
    replace: '...[]',
    test: answers,
    name: 'ConfigMap: sealed',
    why: 'what was sealed is not unsealed',
  },
];
