/** What a bench measures with. */
import { type DurationMs, systemClock } from '@lifeline/core';

export interface Span {
  readonly wallMs: DurationMs;
  /** Of this process, all its threads. */
  readonly cpuMs: DurationMs;
}

/** Begins a span; what it returns ends it. */
export function span(): () => Span {
  const began = systemClock.monotonic();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { wallMs: systemClock.monotonic() - began, cpuMs: (user + system) / 1_000 };
  };
}

/** `share` of the values are at most this. NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Bytes that are held after collections. Needs `--expose-gc`, as `npm run bench` gives it. */
export async function heldBytes(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    await systemClock.sleep(50);
  }
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}

/** How late timers are meanwhile: what the machine, and this process itself, add to every latency. */
export class Lateness implements Disposable {
  readonly values: number[] = [];
  #ended = false;

  constructor() {
    void this.#run();
  }

  async #run(): Promise<void> {
    while (!this.#ended) {
      const due = systemClock.monotonic() + 10;
      await systemClock.sleep(10);
      this.values.push(systemClock.monotonic() - due);
    }
  }

  [Symbol.dispose](): void {
    this.#ended = true;
  }
}

/** A Markdown table; the first row is its head. */
export const table = ([head = [], ...rows]: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
