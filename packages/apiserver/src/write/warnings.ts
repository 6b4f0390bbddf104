/** What a server has to say about a request that it carries out: `Warning` headers. @see RFC 7234 5.5 */

import { ApiError } from '../api-error.ts';

type Headers = Readonly<Record<string, string>>;

/** In characters. Beyond the total, texts are cut, and what then does not fit is left out. */
const [totalLimit, eachLimit] = [4096, 256];

/** The warnings of one request, in order. */
export class Warnings {
  readonly #texts = new Set<string>();

  /** The same text is told once; one with control characters, which no header can hold, not at all. */
  add(text: string): void {
    if (text !== '' && !/\p{Cc}/u.test(text)) this.#texts.add(text);
  }

  /** For an answer: a repeated header is one, joined with commas. */
  get headers(): Headers | undefined {
    return this.#texts.size > 0 ? { warning: headerOf([...this.#texts]) } : undefined;
  }

  /** Headers that may have warnings already, with these before them. */
  before(headers: Headers): Headers {
    const mine = this.headers?.['warning'];
    if (mine === undefined) return headers;
    const { warning } = headers;
    return { ...headers, warning: warning === undefined ? mine : `${mine}, ${warning}` };
  }
}

/** What was warned of goes out with a refusal too. */
export function withWarnings<T>(warnings: Warnings, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new ApiError({ ...error.spec, headers: warnings.before(error.spec.headers ?? {}) });
  }
}

function headerOf(texts: readonly string[]): string {
  const shown = sum(texts) > totalLimit ? cut(texts) : texts;
  const header = shown.map((text) => `299 - "${text.replace(/["\\]/g, String.raw`\$&`)}"`).join(', ');
  // A header is bytes, and Go writes UTF-8.
  return /^[ -~]*$/.test(header) ? header : Buffer.from(header).toString('latin1');
}

const sum = (texts: readonly string[]): number => texts.reduce((length, text) => length + text.length, 0);

function cut(texts: readonly string[]): readonly string[] {
  let written = 0;
  const shown: string[] = [];
  for (const text of texts) {
    if (written >= totalLimit) break;
    const short = Array.from(text).slice(0, eachLimit).join('');
    written += short.length;
    shown.push(short);
  }
  return shown;
}
