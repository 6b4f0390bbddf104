/**
 * Types written as a table: number, name, type and what else is known of each field, once for JSON, protobuf, schema and patches.
 *
 * ```
 * strings Protocol                                   named string types
 *
 * ServicePort : A port of a Service.                 a struct; descriptions are optional
 *   1 name       string
 *   2 protocol   Protocol             =TCP           a default
 *   3 port       int32       required                required; written though it is empty
 *   4 targetPort IntOrString           : Of the pods.
 *   5 names      []string    always set              written though it is empty; `atomic`, `set` or `map(key,key)`: a list's type
 *   6 conditions []Condition map(type) merge(type)   how a strategic merge patch treats it: `merge`, `replace`, `retainKeys`, with a key
 *   7 ...        ObjectReference                     an embedded struct
 * ```
 * A `*` before a type is Go's pointer: an empty value is kept. `required omitempty` is not written when it is empty. A struct marked
 * `atomic` is taken as a whole by patches; one marked `either` is written as the one of its fields that is set.
 */
import type { JsonValue } from '@lifeline/core';
import type { Field, FieldType, MessageType, Scalar } from '../../../schema/message-type.ts';

export class TypeTable {
  readonly #text: string;
  readonly #uses: readonly TypeTable[];
  #types: ReadonlyMap<string, MessageType> | undefined;

  /** Parsed at the first question. @param uses tables whose types this one names too; its own come first */
  constructor(text: string, ...uses: readonly TypeTable[]) {
    this.#text = text;
    this.#uses = uses;
  }

  /** @throws TypeError where there is no such type, or the table is badly written */
  get(name: string): MessageType {
    const found = this.#find(name);
    if (!found) throw new TypeError(`no type ${name}`);
    return found;
  }

  get names(): readonly string[] {
    return [...this.#own.keys()];
  }

  get #own(): ReadonlyMap<string, MessageType> {
    return (this.#types ??= parseTable(this.#text, (name) => this.#findForeign(name)));
  }

  #find(name: string): MessageType | undefined {
    return this.#own.get(name) ?? this.#findForeign(name);
  }

  #findForeign(name: string): MessageType | undefined {
    for (const table of this.#uses) {
      const found = table.#find(name);
      if (found) return found;
    }
    return undefined;
  }
}

/** A type while its table is read: others refer to it before its fields are known. */
interface Draft extends MessageType {
  readonly fields: Map<string, Field>;
  readonly byNumber: Map<number, Field>;
  readonly always: Field[];
  readonly either: boolean;
  readonly rows: string[];
}

interface Names {
  readonly strings: ReadonlySet<string>;
  readonly drafts: ReadonlyMap<string, Draft>;
  readonly find: (name: string) => MessageType | undefined;
}

function parseTable(text: string, findForeign: Names['find']): ReadonlyMap<string, MessageType> {
  const strings = new Set<string>();
  const drafts = new Map<string, Draft>();
  let current: Draft | undefined;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    if (line.startsWith('strings ')) {
      for (const name of words(line).slice(1)) strings.add(name);
    } else if (line.startsWith(' ')) {
      current?.rows.push(line);
    } else {
      current = newDraft(line);
      drafts.set(current.name, current);
    }
  }
  const names: Names = { strings, drafts, find: (name) => drafts.get(name) ?? findForeign(name) };
  for (const draft of drafts.values()) fill(draft, names);
  return drafts;
}

const words = (text: string): string[] => text.trim().split(/\s+/);

/** What stands before and after the colon that begins a description. */
function described(line: string): { row: string; description?: string } {
  const at = line.indexOf(' : ');
  return at < 0 ? { row: line } : { row: line.slice(0, at), description: line.slice(at + 3).trim() };
}

function newDraft(line: string): Draft {
  const { row, ...rest } = described(line);
  const [name = '', mark] = words(row);
  const [atomic, either] = [mark === 'atomic', mark === 'either'];
  return { name, ...rest, atomic, either, fields: new Map(), byNumber: new Map(), always: [], rows: [] };
}

/** Reads the rows of a type, those of the structs that it embeds first. */
function fill(draft: Draft, names: Names): void {
  for (const row of draft.rows.splice(0)) {
    const field = parseField(row, names);
    draft.byNumber.set(field.number, field);
    const inner = field.name === '...' && field.type.form === 'message' ? field.type.message : undefined;
    const embedded = inner && names.drafts.get(inner.name);
    if (embedded) fill(embedded, names);
    for (const each of inner ? inner.fields.values() : [field]) {
      draft.fields.set(each.name, each);
      if (each.always) draft.always.push(each);
    }
  }
}

function parseField(line: string, names: Names): Field {
  const { row, ...rest } = described(line);
  const [number = '', name = '', typeText = '', ...marks] = words(row);
  const pointer = typeText.startsWith('*');
  const type = parseType(typeText.slice(pointer ? 1 : 0), names);
  if (!/^\d+$/.test(number) || type === undefined) throw new TypeError(`no field: ${line}`);
  const known = marks.map((mark) => parseMark(mark, line));
  const required = marks.includes('required');
  const written = (required && !marks.includes('omitempty')) || marks.includes('always');
  const always = written || (!pointer && isStruct(type) && !marks.includes('omitzero'));
  return Object.assign({ name, number: Number(number), type, pointer, always, required, ...rest }, ...known) as Field;
}

/** Go's omitempty never omits a struct. */
const isStruct = (type: FieldType): boolean =>
  type.form === 'message' || (type.form === 'scalar' && ['Time', 'MicroTime', 'IntOrString'].includes(type.scalar));

function parseMark(mark: string, line: string): Partial<Field> {
  if (['required', 'omitempty', 'always', 'omitzero'].includes(mark)) return {};
  if (mark.startsWith('=')) return { default: parseDefault(mark.slice(1)) };
  const match = /^(atomic|set|map|(?:merge|replace|retainKeys)(?:,retainKeys)?)(?:\((.*)\))?$/.exec(mark);
  const [, word = '', keys] = match ?? [];
  if (word === 'atomic' || word === 'set') return { merging: word };
  if (word === 'map') return { merging: word, mapKeys: (keys ?? '').split(',') };
  if (!match) throw new TypeError(`unknown mark ${mark}: ${line}`);
  return { patchStrategy: word, ...(keys === undefined ? {} : { patchMergeKey: keys }) };
}

/** Numbers, booleans, `{}` and `""` as in JSON; every other text is itself. */
function parseDefault(text: string): JsonValue {
  return /^(?:-?\d+|true|false|\{\}|"")$/.test(text) ? (JSON.parse(text) as JsonValue) : text;
}

/** The types that JSON and Go call alike, and those that have a way of their own. */
const scalars: Readonly<Record<string, { scalar: Scalar; goName: string }>> = {
  string: { scalar: 'string', goName: 'string' },
  bool: { scalar: 'bool', goName: 'bool' },
  int32: { scalar: 'int32', goName: 'int32' },
  int64: { scalar: 'int64', goName: 'int64' },
  float64: { scalar: 'float64', goName: 'float64' },
  bytes: { scalar: 'bytes', goName: '[]uint8' },
  UID: { scalar: 'string', goName: 'types.UID' },
  Time: { scalar: 'Time', goName: 'v1.Time' },
  MicroTime: { scalar: 'MicroTime', goName: 'v1.MicroTime' },
  Quantity: { scalar: 'Quantity', goName: 'resource.Quantity' },
  IntOrString: { scalar: 'IntOrString', goName: 'intstr.IntOrString' },
  Json: { scalar: 'Json', goName: 'v1.JSON' },
};

function parseType(text: string, names: Names): FieldType | undefined {
  if (text.startsWith('[]')) return listOf(parseType(text.slice(2), names), false);
  // A list with a name of its own: the only one there is.
  if (text === 'ExtraValue') return listOf(parseType('string', names), true);
  if (text.startsWith('map[string]')) {
    const values = parseType(text.slice('map[string]'.length), names);
    return values && { form: 'map', values };
  }
  const scalar = scalars[text];
  if (scalar) return { form: 'scalar', ...scalar };
  if (names.strings.has(text)) return { form: 'scalar', scalar: 'string', goName: `v1.${text}` };
  const message = names.find(text);
  return message && { form: names.drafts.get(text)?.either ? 'either' : 'message', message };
}

const listOf = (items: FieldType | undefined, wrapped: boolean): FieldType | undefined =>
  items && { form: 'list', items, wrapped };
