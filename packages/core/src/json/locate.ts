/** What may come next in a JSON text. */
type Expected = 'value' | 'item or ]' | 'key' | 'key or }' | ':' | ', or end';

/**
 * Where a text stops being JSON: the start of its first bad token, or its length when it ends too early (or is JSON after all).
 * Slow; for error messages. `JSON.parse` names a position only for some errors, and quotes the text, which may be a Secret.
 */
export function firstBadToken(text: string): number {
  /** Closers of the open containers, innermost last. */
  const closers: string[] = [];
  let expected: Expected = 'value';
  let at = skipSpace(text, 0);
  while (at < text.length) {
    const char = text.charAt(at);
    let end = at + 1;
    switch (expected) {
      case 'item or ]':
      case 'key or }':
        if (char === closers.at(-1)) {
          closers.pop();
          expected = ', or end';
          break;
        }
        expected = expected === 'key or }' ? 'key' : 'value';
        continue;
      case 'key':
        if (char !== '"' || (end = scalarEnd(text, at)) < 0) return at;
        expected = ':';
        break;
      case ':':
        if (char !== ':') return at;
        expected = 'value';
        break;
      case 'value':
        if (char === '{' || char === '[') {
          closers.push(char === '{' ? '}' : ']');
          expected = char === '{' ? 'key or }' : 'item or ]';
        } else {
          if ((end = scalarEnd(text, at)) < 0) return at;
          expected = ', or end';
        }
        break;
      case ', or end':
        if (closers.length === 0) return at;
        if (char === ',') expected = closers.at(-1) === '}' ? 'key' : 'value';
        else if (char === closers.at(-1)) closers.pop();
        else return at;
    }
    at = skipSpace(text, end);
  }
  return text.length;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at++;
  return at;
}

const word = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const stringPiece = /[ !#-[\]-\uffff]+|\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** Where the string, number or word that starts at `from` ends; -1 when there is none. */
function scalarEnd(text: string, from: number): number {
  if (text.charAt(from) !== '"') return matchEnd(word, text, from);
  let at = from + 1;
  for (let next = at; next >= 0; next = matchEnd(stringPiece, text, at)) at = next;
  return text.charAt(at) === '"' ? at + 1 : -1;
}

/** Where a sticky pattern that must match at `from` stops; -1 when it does not match. */
function matchEnd(sticky: RegExp, text: string, from: number): number {
  sticky.lastIndex = from;
  return sticky.test(text) ? sticky.lastIndex : -1;
}
