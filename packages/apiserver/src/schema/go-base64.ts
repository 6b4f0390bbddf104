/** Base64 as Go reads it for `[]byte`: line breaks are skipped, padding is not optional. */

const alphabet = /^[A-Za-z0-9+/]$/;
const isBreak = (char: string | undefined): boolean => char === '\n' || char === '\r';

/** The text as Go writes it back, or the offset that Go complains of. @see golang/go@go1.26 src/encoding/base64/base64.go decodeQuantum */
export function goBase64(text: string): { readonly text: string } | { readonly badByte: number } {
  const canonical = Buffer.from(text, 'base64').toString('base64');
  if (canonical === text) return { text };
  const badByte = corruptAt(text);
  // Here the texts differ by line breaks or by bits that no byte needs.
  return badByte === undefined ? { text: canonical } : { badByte };
}

/** Where Go stops, or undefined where it does not. */
function corruptAt(text: string): number | undefined {
  let at = 0;
  const skipBreaks = (): void => {
    while (isBreak(text[at])) at++;
  };
  for (;;) {
    let digits = 0;
    while (digits < 4) {
      skipBreaks();
      const char = text[at];
      if (char === undefined) return digits === 0 ? undefined : at - digits;
      if (char === '=') return digits < 2 ? at : badPadding(digits);
      if (!alphabet.test(char)) return at;
      digits++;
      at++;
    }
  }

  /** After two digits a second `=` must follow; after either nothing but line breaks. */
  function badPadding(digits: number): number | undefined {
    at++;
    skipBreaks();
    if (digits === 2) {
      if (at === text.length) return at;
      if (text[at] !== '=') return at - 1;
      at++;
      skipBreaks();
    }
    return at < text.length ? at : undefined;
  }
}
