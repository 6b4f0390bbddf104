/** YAML as a real server reads it: converted to JSON first, by the rules of go-yaml. */
import { isJsonObject, type JsonObject, type JsonValue, PlatformError, setOwn } from '@lifeline/core';
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  parseDocument,
  type Scalar,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import { goQuote } from '../go-text.ts';
import { isNumber } from '../go-type.ts';
import { maxBodyDepth, tooDeep } from './go-json.ts';
import { NotInJson, type Resolved, resolvePlain } from './yaml-scalar.ts';

/** A text that is no YAML, or cannot be said in JSON. The message is Go's, which begins with `yaml:` mostly. */
export class YamlError extends PlatformError<'yaml'> {
  readonly text: string;

  constructor(text: string) {
    super('yaml', text);
    this.text = text;
  }
}

export interface YamlBody {
  /** Null for an empty text. Numbers with more digits than a double has are JsonNumbers. */
  readonly value: JsonValue;
  /** `line 6: key "x" already set in map`, in the order of the text. The last one wins. */
  readonly repeated: readonly string[];
}

/** The first document of a text. @throws YamlError */
export function parseYaml(text: string): YamlBody {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    version: '1.1',
    schema: 'failsafe',
    uniqueKeys: false,
    lineCounter: lines,
    logLevel: 'silent',
    prettyErrors: false,
  });
  const error = document.errors.find(({ code }) => code !== 'MULTIPLE_DOCS');
  if (error) throw new YamlError(syntaxError(error, lines));
  const reader = new Reader(document, lines);
  const value = document.contents ? reader.read(document.contents, 0) : null;
  return { value, repeated: reader.repeated };
}

/** go-yaml's words for an error, and whether its scanner says them: it counts lines differently from its parser. */
type Words = readonly [text: string, by: 'scanner' | 'parser'];

const forbiddenStart: Words = ['found character that cannot start any token', 'scanner'];
const noColon: Words = [`could not find expected ':'`, 'scanner'];

const wordsByCode: { readonly [code in YAMLError['code']]?: Words } = {
  BLOCK_AS_IMPLICIT_KEY: ['mapping values are not allowed in this context', 'scanner'],
  MULTILINE_IMPLICIT_KEY: noColon,
  KEY_OVER_1024_CHARS: noColon,
  BAD_SCALAR_START: forbiddenStart,
  TAB_AS_INDENT: forbiddenStart,
  BAD_DQ_ESCAPE: ['found unknown escape character', 'scanner'],
  RESOURCE_EXHAUSTION: [tooDeep, 'scanner'],
};

/** Where the code is not enough, by our parser's message. */
const wordsByMessage: readonly (readonly [RegExp, Words])[] = [
  [/^Missing closing .*quote/, ['found unexpected end of stream', 'scanner']],
  [/^Flow map .*}/, [`did not find expected ',' or '}'`, 'parser']],
  [/^Flow sequence .*]/, [`did not find expected ',' or ']'`, 'parser']],
];

const otherwise: Words = ['did not find expected key', 'parser'];

const wordsFor = ({ code, message }: YAMLError): Words =>
  wordsByCode[code] ?? wordsByMessage.find(([pattern]) => pattern.test(message))?.[1] ?? otherwise;

function syntaxError(error: YAMLError, lines: LineCounter): string {
  const [text, by] = wordsFor(error);
  const { line } = lines.linePos(error.pos[0]);
  const told = by === 'scanner' ? line : line - 1;
  return told > (by === 'scanner' ? 1 : 0) ? `yaml: line ${told}: ${text}` : `yaml: ${text}`;
}

const coreTag = (tag: string): string => tag.replace('tag:yaml.org,2002:', '!!');

type AnyNode = ParsedNode | Alias | Scalar | null;

class Reader {
  readonly repeated: string[] = [];
  readonly #document: Document.Parsed;
  readonly #lines: LineCounter;
  /** Anchored nodes that are being read. */
  readonly #open = new Set<unknown>();
  #nodes = 0;
  /** Of them, those that were read because an alias named them. */
  #aliased = 0;
  #aliasDepth = 0;

  constructor(document: Document.Parsed, lines: LineCounter) {
    this.#document = document;
    this.#lines = lines;
  }

  read(node: AnyNode, depth: number): JsonValue {
    if (depth > maxBodyDepth) throw new YamlError(`yaml: ${tooDeep}`);
    this.#count();
    if (node === null) return null;
    if (isAlias(node)) return this.#alias(node, depth);
    if (this.#open.has(node)) throw new YamlError(`yaml: anchor '${node.anchor ?? ''}' value contains itself`);
    if (isScalar(node)) return this.#json(scalarOf(node));
    this.#open.add(node);
    const value = isSeq(node)
      ? node.items.map((item) => this.read(item as AnyNode, depth + 1))
      : this.#members(node, {}, depth);
    this.#open.delete(node);
    return value;
  }

  /** A small text whose aliases blow it up is refused. @see yaml/go-yaml@v2 decode.go */
  #count(): void {
    this.#nodes++;
    if (this.#aliasDepth > 0) this.#aliased++;
    if (this.#aliased <= 100 || this.#nodes <= 1000) return;
    const share = Math.min(0.99, Math.max(0.1, 0.99 - (0.89 * (this.#nodes - 400_000)) / 3_600_000));
    if (this.#aliased / this.#nodes > share) throw new YamlError('yaml: document contains excessive aliasing');
  }

  #alias(node: Alias, depth: number): JsonValue {
    const target = node.resolve(this.#document) as AnyNode | undefined;
    if (!target) throw new YamlError(`yaml: unknown anchor '${node.source}' referenced`);
    this.#aliasDepth++;
    const value = this.read(target, depth);
    this.#aliasDepth--;
    return value;
  }

  #members(map: YAMLMap, into: Record<string, JsonValue>, depth: number): JsonObject {
    const seen = new Set<string>();
    for (const { key, value } of map.items as { key: AnyNode; value: AnyNode }[]) {
      if (isScalar(key) && key.type === 'PLAIN' && key.source === '<<') {
        this.#merge(value, into, depth);
        continue;
      }
      const { name, shown } = this.#key(key, value, depth);
      if (seen.has(shown)) {
        const at = value?.range?.[0] ?? key?.range?.[0] ?? 0;
        this.repeated.push(`line ${this.#lines.linePos(at).line}: key ${shown} already set in map`);
      }
      seen.add(shown);
      setOwn(into, name, this.read(value, depth + 1));
    }
    return into;
  }

  /** What is merged last wins over what stands before it; in a list, the first does. */
  #merge(node: AnyNode, into: Record<string, JsonValue>, depth: number): void {
    const target = isAlias(node) ? (node.resolve(this.#document) as AnyNode) : node;
    if (isMap(target)) {
      this.#members(target, into, depth + 1);
    } else if (
      isSeq(target) &&
      target.items.every((item) => isMap(isAlias(item) ? item.resolve(this.#document) : item))
    ) {
      for (const item of [...target.items].reverse()) this.#merge(item, into, depth + 1);
    } else {
      throw new YamlError('yaml: map merge requires map or sequence of maps as the value');
    }
  }

  /** @returns the key as a member's name, and as Go prints it */
  #key(node: AnyNode, value: AnyNode, depth: number): { name: string; shown: string } {
    const resolved = isScalar(node) ? scalarOf(node) : { tag: '', value: this.read(node, depth + 1) };
    if (resolved instanceof NotInJson) return { name: resolved.name, shown: resolved.name };
    const key = resolved.value;
    if (typeof key === 'string') return { name: key, shown: goQuote(key) };
    if (isNumber(key) || typeof key === 'boolean') {
      return { name: String(key), shown: String(key) };
    }
    if (key !== null)
      throw new YamlError(
        `yaml: invalid map key: ${isJsonObject(key) ? 'map[interface {}]interface {}' : '[]interface {}'}`,
      );
    const shown = isScalar(value) && typeof value.value === 'string' ? goQuote(value.value) : '<nil>';
    throw new YamlError(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${shown}`);
  }

  #json(value: Resolved | NotInJson): JsonValue {
    if (value instanceof NotInJson) throw new YamlError(`json: unsupported value: ${value.name}`);
    return value.value;
  }
}

const resolvable = new Set(['!!bool', '!!int', '!!float', '!!null', '!!timestamp']);

function scalarOf(node: Scalar): Resolved | NotInJson {
  const text = typeof node.value === 'string' ? node.value : '';
  const tag = node.tag === undefined ? '' : coreTag(node.tag);
  if (tag === '') return node.type === 'PLAIN' ? resolvePlain(text) : { tag: '!!str', value: text };
  if (tag === '!!binary') return { tag, value: binary(text) };
  if (!resolvable.has(tag)) return { tag, value: text };
  const resolved = resolvePlain(text);
  const found = resolved instanceof NotInJson ? '!!float' : resolved.tag;
  if (found === tag || (tag === '!!float' && found === '!!int')) return resolved;
  if (tag === '!!timestamp' && /^\d{4}-/.test(text)) return { tag, value: text };
  throw new YamlError(`yaml: cannot decode ${found} \`${text}\` as a ${tag}`);
}

const utf8 = new TextDecoder();

/** Base64 that holds a text. */
function binary(text: string): string {
  try {
    return utf8.decode(Uint8Array.from(atob(text.replace(/\s/g, '')), (char) => char.charCodeAt(0)));
  } catch {
    throw new YamlError('yaml: !!binary value contains invalid base64 data');
  }
}
