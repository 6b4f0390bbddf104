/** Patterns of schemas are Go's (RE2): much alike JavaScript's, and where they differ, translated. */

/** POSIX classes, as they stand within brackets. */
const posix: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: String.raw`\x00-\x7F`,
  blank: String.raw`\t `,
  cntrl: String.raw`\x00-\x1F\x7F`,
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: String.raw`!-\/:-@\[-\x60\{-~`,
  space: String.raw`\t\n\v\f\r `,
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/** What stands for itself in JavaScript only behind a backslash. */
const special = /[\^$\\.*+?()[\]{}|/]/;

/**
 * The JavaScript form of a Go pattern. White space is ASCII, `.` is anything but a line feed, `$` the end of the text.
 * @throws SyntaxError when it is no Go pattern, or uses of RE2 what is not translated: inline flags but a leading `(?i)`, `(?s)`, `(?m)`
 */
export function goRegExp(pattern: string): RegExp {
  const head = /^\(\?([ims]+)\)/.exec(pattern);
  const flags = head?.[1] ?? '';
  const body = translate(pattern.slice(head?.[0].length ?? 0), flags.includes('s'));
  try {
    return new RegExp(body, `u${[...new Set(flags.replaceAll('s', ''))].join('')}`);
  } catch (error) {
    throw new SyntaxError(goMessage(pattern, error as SyntaxError), { cause: error });
  }
}

/** What Go says of the flaw, and where it sees it. */
function goMessage(pattern: string, { message }: SyntaxError): string {
  const part = (found: RegExp): string => found.exec(pattern)?.[0] ?? pattern;
  if (message.includes('Unterminated group')) return `missing closing ): \`${pattern}\``;
  if (message.includes('Unmatched')) return `unexpected ): \`${pattern}\``;
  if (message.includes('Unterminated character class')) return `missing closing ]: \`${part(/\[[^\]]*$/)}\``;
  if (message.includes('out of order')) return `invalid character class range: \`${part(/[^\]]-[^\]]/)}\``;
  const nested = /(?:[*+?]|\{\d+(?:,\d*)?\})(?:[*+]|\?[*+?]|\{\d)\??/.exec(pattern);
  if (nested) return `invalid nested repetition operator: \`${nested[0]}\``;
  return `missing argument to repetition operator: \`${part(/[*+?]/)}\``;
}

function translate(source: string, dotAll: boolean): string {
  let out = '';
  /** Within brackets: where they began. */
  let bracket = -1;
  for (let at = 0; at < source.length;) {
    const rest = source.slice(at);
    const [text, length] =
      rest[0] === '\\'
        ? escape(rest, bracket >= 0)
        : bracket >= 0
          ? inBrackets(rest, at === bracket)
          : outside(rest, dotAll);
    if (bracket < 0 && rest[0] === '[') bracket = at + length;
    else if (bracket >= 0 && rest[0] === ']' && at !== bracket) bracket = -1;
    out += text;
    at += length;
  }
  return out;
}

type Piece = readonly [text: string, length: number];

function outside(rest: string, dotAll: boolean): Piece {
  const named = /^\(\?P<(\w+)>/.exec(rest);
  if (named) return [`(?<${named[1]}>`, named[0].length];
  // What Go does not have: look-around.
  if (/^\(\?(?:[=!]|<[=!])/.test(rest))
    throw new SyntaxError(`invalid or unsupported Perl syntax: \`${/^\(\?<?./.exec(rest)?.[0] ?? rest}\``);
  if (rest.startsWith('[^')) return ['[^', 2];
  if (rest[0] === '.') return [dotAll ? String.raw`[\s\S]` : String.raw`[^\n]`, 1];
  // Braces that count nothing, and a bracket that closes nothing, stand for themselves.
  if (rest[0] === '{') {
    const count = /^\{\d+(?:,\d*)?\}/.exec(rest);
    return count ? [count[0], count[0].length] : [String.raw`\{`, 1];
  }
  if (rest[0] === '}' || rest[0] === ']') return [`\\${rest[0]}`, 1];
  return whole(rest);
}

function inBrackets(rest: string, first: boolean): Piece {
  const named = /^\[:(\^?)(\w+):\]/.exec(rest);
  if (named) {
    const members = named[1] ? undefined : posix[named[2] as string];
    if (members === undefined) throw new SyntaxError(`invalid character class range: \`${named[0]}\``);
    return [members, named[0].length];
  }
  if (rest[0] === '[' || (first && rest[0] === ']')) return [`\\${rest[0]}`, 1];
  return whole(rest);
}

/** One character, both halves of it. */
const whole = (rest: string): Piece => {
  const char = String.fromCodePoint(rest.codePointAt(0) as number);
  return [char, char.length];
};

const space = String.raw`\t\n\f\r `;

function escape(rest: string, inside: boolean): Piece {
  const next = rest[1];
  switch (next) {
    case undefined:
      throw new SyntaxError('trailing backslash at end of expression: ``');
    case 'A':
      return ['(?<![\\s\\S])', 2];
    case 'z':
      return ['(?![\\s\\S])', 2];
    case 'a':
      return [String.raw`\x07`, 2];
    case 's':
      return [inside ? space : `[${space}]`, 2];
    case 'S':
      if (inside) throw new SyntaxError(String.raw`\S within brackets`);
      return [`[^${space}]`, 2];
    case 'Q': {
      const end = rest.indexOf('\\E', 2);
      const text = rest.slice(2, end < 0 ? undefined : end);
      return [text.replace(/[\^$\\.*+?()[\]{}|/]/g, String.raw`\$&`), end < 0 ? rest.length : end + 2];
    }
    case 'p':
    case 'P': {
      const name = /^\\[pP](?:\{(\^?)(\w+)\}|(\w))/.exec(rest);
      if (!name) throw new SyntaxError(`invalid character class range: \`${rest.slice(0, 2)}\``);
      const short = name[3] ?? name[2] ?? '';
      // Scripts need their property's name in JavaScript; general categories do not.
      const property = short.length > 2 ? `Script=${short}` : short;
      const negated = (next === 'P') !== (name[1] === '^');
      return [`\\${negated ? 'P' : 'p'}{${property}}`, name[0].length];
    }
    case 'x': {
      const hex = /^\\x(?:\{([\dA-Fa-f]+)\}|([\dA-Fa-f]{2}))/.exec(rest);
      if (!hex) throw new SyntaxError(`invalid escape sequence: \`${rest.slice(0, 2)}\``);
      return [`\\u{${hex[1] ?? hex[2] ?? ''}}`, hex[0].length];
    }
    case '-':
      return [inside ? String.raw`\-` : '-', 2];
    default:
      if (/[bBdDwWfnrtv]/.test(next)) {
        if (inside && /[bB]/.test(next)) throw new SyntaxError(`invalid escape sequence: \`\\${next}\``);
        return [`\\${next}`, 2];
      }
      if (/[0-7]/.test(next)) return octal(rest);
      if (/[A-Za-z89]/.test(next)) throw new SyntaxError(`invalid escape sequence: \`\\${next}\``);
      return [special.test(next) ? `\\${next}` : next, 2];
  }
}

/** `\123`, or `\0`. Go knows no reference back: a single digit but zero is none. */
function octal(rest: string): Piece {
  const digits = /^\\([0-7]{3}|0[0-7]{0,2})/.exec(rest)?.[1];
  if (digits === undefined) throw new SyntaxError(`invalid escape sequence: \`${rest.slice(0, 2)}\``);
  return [`\\u{${Number.parseInt(digits, 8).toString(16)}}`, digits.length + 1];
}
