/** Bodies of built-in kinds, taken the way Go takes them: by type. */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, PlatformError, setOwn } from '@lifeline/core';
import { goJsonName, isNumber } from '../go-type.ts';
import { kept, zeroOf, zeroOfType } from './empty-value.ts';
import { goScalar } from './go-scalar.ts';
import type { Field, FieldType, MessageType, Scalar } from './message-type.ts';

/** A value that is not of its type, in the words of Go. Who knows what was asked for puts them into an answer: 400, or 422 of a patch. */
export class MistypedError extends PlatformError<'mistyped'> {
  /** What Go says, and nothing else. */
  readonly complaint: string;

  constructor(complaint: string) {
    super('mistyped', complaint);
    this.complaint = complaint;
  }
}

export interface Decoded {
  /** The body as Go would write it: empty fields gone or spelled out, times in UTC, quantities canonical, unknown fields gone. */
  readonly object: JsonObject;
  /** Paths of the unknown fields, in the order of the body: `metadata.ownerReferences[0].foo`. */
  readonly unknownFields: readonly string[];
}

/**
 * The body of a type. The same object when nothing differs.
 * @throws MistypedError of the first value that could not even be read; else of the first one of a wrong type. Go reads on after those
 */
export function decodeTyped(type: MessageType, body: JsonObject): Decoded {
  const decoder = new Decoder();
  const object = decoder.message(type, body, typeMeta);
  if (decoder.refusal) throw decoder.refusal;
  return { object, unknownFields: decoder.unknownFields };
}

/** What every root has beside its fields. */
const typeMeta = new Set(['apiVersion', 'kind']);
const none: ReadonlySet<string> = new Set();

/** A field, an index, or a key of a map. */
type Step = string | number | { readonly key: string };

/** Types with a way of their own to be read. Where that fails, Go reads no further. */
const selfReading: ReadonlySet<Scalar> = new Set<Scalar>(['Time', 'MicroTime', 'Quantity', 'IntOrString']);

class Decoder {
  readonly unknownFields: string[] = [];
  /** Of the first value of a wrong type. */
  refusal: MistypedError | undefined;
  /** Where we are. */
  readonly #path: Step[] = [];
  /** The struct whose field is looked at. */
  #struct = '';

  /** @param beside keys that are kept though they are no fields */
  message(type: MessageType, value: JsonValue, beside: ReadonlySet<string> = none): JsonObject {
    if (!isJsonObject(value)) {
      this.#refuse(value, `v1.${type.name}`);
      return {};
    }
    const out: Record<string, JsonValue> = {};
    let changed = false;
    for (const key of Object.keys(value)) {
      const item = value[key];
      const field = type.fields.get(key);
      if (item === undefined) continue;
      if (field) {
        const kept = this.#field(type, field, item);
        if (kept !== undefined) out[key] = kept;
        changed ||= kept !== item;
      } else if (beside.has(key)) {
        out[key] = item;
      } else {
        this.unknownFields.push(pathOf([...this.#path, key]));
        changed = true;
      }
    }
    for (const field of type.always) {
      if (field.name in out) continue;
      out[field.name] = zeroOf(field);
      changed = true;
    }
    return changed ? out : value;
  }

  #field(type: MessageType, field: Field, item: JsonValue): JsonValue | undefined {
    const outer = this.#struct;
    this.#struct = type.name;
    this.#path.push(field.name);
    const value = item === null ? null : this.#value(field.type, item);
    this.#path.pop();
    this.#struct = outer;
    return kept(field, value);
  }

  /** A null in a list or a map is an empty value. */
  #value(type: FieldType, value: JsonValue): JsonValue {
    if (value === null) return zeroOfType(type);
    switch (type.form) {
      case 'scalar':
        return this.#scalar(type, value);
      case 'message':
        return this.message(type.message, value);
      case 'list':
        return this.#list(type, value);
      case 'map':
        return this.#map(type, value);
      case 'either':
        return this.#either(type.message, value);
    }
  }

  #scalar({ scalar, goName }: FieldType & { form: 'scalar' }, value: JsonValue): JsonValue {
    // Most values are texts.
    if (scalar === 'string' && typeof value === 'string') return value;
    const read = goScalar(scalar, value);
    if ('value' in read) return read.value;
    const error = 'complaint' in read ? new MistypedError(read.complaint) : this.#mistyped(value, read.notOf ?? goName);
    if (selfReading.has(scalar)) throw error;
    this.refusal ??= error;
    return null;
  }

  #list(type: FieldType & { form: 'list' }, value: JsonValue): JsonValue {
    if (!isJsonArray(value)) return this.#refuse(value, goTypeName(type));
    let changed = false;
    const items = value.map((item, index) => {
      this.#path.push(index);
      const decoded = this.#value(type.items, item);
      this.#path.pop();
      changed ||= decoded !== item;
      return decoded;
    });
    return changed ? items : value;
  }

  #map(type: FieldType & { form: 'map' }, value: JsonValue): JsonValue {
    if (!isJsonObject(value)) return this.#refuse(value, goTypeName(type));
    const out: Record<string, JsonValue> = {};
    let changed = false;
    for (const key of Object.keys(value)) {
      const item = value[key];
      if (item === undefined) continue;
      this.#path.push({ key });
      const decoded = this.#value(type.values, item);
      this.#path.pop();
      setOwn(out, key, decoded);
      changed ||= decoded !== item;
    }
    return changed ? out : value;
  }

  /** Types with a way of their own to be read: unknown fields in them are dropped and not told. */
  #either(type: MessageType, value: JsonValue): JsonValue {
    const told = this.unknownFields.length;
    for (const { type: option } of type.fields.values()) {
      if (!fits(option, value)) continue;
      const decoded = this.#value(option, value);
      this.unknownFields.length = told;
      return decoded;
    }
    if (type.fields.has('allows')) throw new MistypedError('boolean or JSON schema expected');
    return null;
  }

  #refuse(value: JsonValue, goType: string): null {
    this.refusal ??= this.#mistyped(value, goType);
    return null;
  }

  #mistyped(value: JsonValue, goType: string): MistypedError {
    // Where a number is wanted, the one that was found is told.
    const shown = isNumber(value) && /^(?:int|float)\d\d$/.test(goType) ? `number ${String(value)}` : goJsonName(value);
    const found = `json: cannot unmarshal ${shown} into Go`;
    const where =
      this.#struct === ''
        ? 'value'
        : `struct field ${this.#struct}.${this.#path.filter((step) => typeof step === 'string').join('.')}`;
    return new MistypedError(`${found} ${where} of type ${goType}`);
  }
}

/** As unknown fields are told: `spec.ports[0].foo`. */
const pathOf = (steps: readonly Step[]): string =>
  steps.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`;
    const name = typeof step === 'string' ? step : step.key;
    return path === '' ? name : `${path}.${name}`;
  }, '');

const fits = (type: FieldType, value: JsonValue): boolean =>
  type.form === 'list'
    ? isJsonArray(value)
    : type.form === 'message'
      ? isJsonObject(value)
      : typeof value === 'boolean';

function goTypeName(type: FieldType): string {
  switch (type.form) {
    case 'scalar':
      return type.goName;
    case 'message':
    case 'either':
      return `v1.${type.message.name}`;
    case 'list':
      return type.wrapped ? 'v1.ExtraValue' : `[]${goTypeName(type.items)}`;
    case 'map':
      return `map[string]${goTypeName(type.values)}`;
  }
}
