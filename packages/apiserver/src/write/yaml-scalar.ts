/** What a YAML scalar is to Go: YAML 1.1, as far as go-yaml goes along with it. */
import { type JsonNumber, exactNumber, type JsonValue } from '@lifeline/core';

/** A scalar with its tag, `!!int`. */
export interface Resolved {
  readonly tag: string;
  readonly value: JsonValue;
}

/** `.inf` and `.nan`, which JSON does not have: by Go's name. */
export class NotInJson {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** In each of the three spellings. */
const spellings = (words: readonly string[], value: Resolved | NotInJson): [string, Resolved | NotInJson][] =>
  words.flatMap((word) => {
    const capital = word.charAt(0).toUpperCase() + word.slice(1);
    return [word, capital, word.toUpperCase()].map((text): [string, Resolved | NotInJson] => [text, value]);
  });

const words: ReadonlyMap<string, Resolved | NotInJson> = new Map([
  ...spellings(['y', 'yes', 'true', 'on'], { tag: '!!bool', value: true }),
  ...spellings(['n', 'no', 'false', 'off'], { tag: '!!bool', value: false }),
  ...spellings(['', '~', 'null'], { tag: '!!null', value: null }),
  ...[...'.nan .NaN .NAN'.split(' ')].map((text): [string, NotInJson] => [text, new NotInJson('NaN')]),
  ...[...'.inf .Inf .INF +.inf +.Inf +.INF'.split(' ')].map((text): [string, NotInJson] => [
    text,
    new NotInJson('+Inf'),
  ]),
  ...[...'-.inf -.Inf -.INF'.split(' ')].map((text): [string, NotInJson] => [text, new NotInJson('-Inf')]),
]);

/**
 * A scalar that stands without quotes and without a tag. Times stay texts, as go-yaml leaves them.
 * @see yaml/go-yaml@v2 resolve.go
 */
export function resolvePlain(text: string): Resolved | NotInJson {
  const word = words.get(text);
  if (word) return word;
  const number = /^[-+.\d]/.test(text) ? numberOf(text) : undefined;
  return number ?? { tag: '!!str', value: text };
}

function numberOf(text: string): Resolved | undefined {
  if (text.startsWith('.')) return floatOf(text);
  const plain = text.replaceAll('_', '');
  const integer = integerOf(plain);
  return integer === undefined ? floatOf(plain) : { tag: '!!int', value: integer };
}

const floatSyntax = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;

function floatOf(text: string): Resolved | undefined {
  const value = floatSyntax.test(text) ? Number(text) : NaN;
  return Number.isFinite(value) ? { tag: '!!float', value: exactNumber(String(value)) } : undefined;
}

const integerSyntax = /^([-+]?)(?:0[xX]([\da-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9]\d*))$/;

/** As Go's ParseInt and ParseUint take it with base 0; undefined where it has more than 64 bits. */
function integerOf(text: string): number | JsonNumber | undefined {
  const match = integerSyntax.exec(text);
  if (!match) return undefined;
  const [, sign = '', hex, binary, octal, decimal = ''] = match;
  const digits = hex ? `0x${hex}` : binary ? `0b${binary}` : octal ? `0o${octal}` : decimal;
  const value = sign === '-' ? -BigInt(digits) : BigInt(digits);
  const fits = BigInt.asIntN(64, value) === value || (sign === '' && BigInt.asUintN(64, value) === value);
  return fits ? exactNumber(value.toString()) : undefined;
}
