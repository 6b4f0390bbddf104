import { createHash } from 'node:crypto';

/** What happened in a run, in order. Two runs of one seed have the same text. */
export class Trace {
  readonly #lines: string[] = [];

  add(line: string): void {
    this.#lines.push(line);
  }

  get length(): number {
    return this.#lines.length;
  }

  get hash(): string {
    return createHash('sha256').update(this.#lines.join('\n')).digest('hex');
  }

  /** The last `count` lines, for a failure's message. */
  tail(count: number): string {
    return this.#lines.slice(-count).join('\n');
  }

  toString(): string {
    return this.#lines.join('\n');
  }

  /** The first line in which two traces differ, with the one before it; undefined when they are equal. */
  static difference(a: Trace, b: Trace): string | undefined {
    const length = Math.max(a.#lines.length, b.#lines.length);
    for (let i = 0; i < length; i++) {
      if (a.#lines[i] !== b.#lines[i]) {
        return `line ${i + 1}, after "${a.#lines[i - 1] ?? ''}":\n  ${a.#lines[i] ?? '(end)'}\n  ${b.#lines[i] ?? '(end)'}`;
      }
    }
    return undefined;
  }
}
