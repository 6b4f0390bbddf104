/** Bytes into lines, however they are cut. */
import { KubeError } from './kube-error.ts';

/**
 * Collects UTF-8 text and gives out each line once its `\n` has come. A `\r` before it belongs to the line's end; no other character
 * (U+2028, U+0085) ends a line. Empty lines are left out.
 *
 * Guarantees: the same lines wherever the bytes are cut; linear in the size of a line, however many pieces it comes in.
 */
export class LineDecoder {
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true });
  #pieces: string[] = [];

  /** @throws KubeError `malformed` when the bytes are not UTF-8 */
  push(chunk: Uint8Array): string[] {
    const text = this.#decode(chunk);
    const end = text.lastIndexOf('\n');
    if (end < 0) {
      if (text !== '') this.#pieces.push(text);
      return [];
    }
    const whole = this.#pieces.join('') + text.slice(0, end);
    this.#pieces = end + 1 < text.length ? [text.slice(end + 1)] : [];
    return whole.split('\n').map(trimmed).filter(isFilled);
  }

  /** What was left without a line end when the stream ended; '' when nothing was. @throws KubeError `malformed` in half a character */
  end(): string {
    const rest = trimmed(this.#pieces.join('') + this.#decode());
    this.#pieces = [];
    return isFilled(rest) ? rest : '';
  }

  #decode(chunk?: Uint8Array): string {
    try {
      return chunk ? this.#utf8.decode(chunk, { stream: true }) : this.#utf8.decode();
    } catch (cause) {
      throw new KubeError('malformed', 'the stream is not UTF-8', { cause });
    }
  }
}

const trimmed = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
const isFilled = (line: string): boolean => line.trim() !== '';
