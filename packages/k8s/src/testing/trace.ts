/** What happened in a run, in order. Two runs of one seed have the same text. */
import { createHash } from 'node:crypto';

type Word = string | number | undefined;

/** Lines are put together when somebody reads them: most runs are never read. */
export class Trace {
  readonly #lines: (readonly Word[])[] = [];

  note(...words: readonly Word[]): void {
    this.#lines.push(words);
  }

  get length(): number {
    return this.#lines.length;
  }

  get hash(): string {
    const hash = createHash('sha256');
    for (const line of this.#lines) hash.update(`${lineOf(line)}\n`);
    return hash.digest('hex');
  }

  /** The last `count` lines. */
  tail(count: number): string {
    return this.#lines.slice(-count).map(lineOf).join('\n');
  }

  toString(): string {
    return this.#lines.map(lineOf).join('\n');
  }

  /** The first line in which two traces differ, with the one before it; undefined when they are equal. */
  static difference(a: Trace, b: Trace): string | undefined {
    const length = Math.max(a.length, b.length);
    const at = (trace: Trace, index: number): string | undefined => {
      const line = trace.#lines[index];
      return line && lineOf(line);
    };
    for (let i = 0; i < length; i++) {
      const [left, right] = [at(a, i), at(b, i)];
      if (left !== right)
        return `line ${i + 1}, after "${at(a, i - 1) ?? ''}":\n  ${left ?? '(end)'}\n  ${right ?? '(end)'}`;
    }
    return undefined;
  }
}

const lineOf = (words: readonly Word[]): string => words.filter((word) => word !== undefined).join(' ');
