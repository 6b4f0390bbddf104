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

export const fixed = (value: number, digits = 0): string =>
  value.toLocaleString('en', { maximumFractionDigits: digits });

export interface Rates {
  readonly spans: readonly Span[];
  /** What they are held against. */
  readonly base: readonly Span[];
  /** Things done in each span. */
  readonly each: number;
}

/** How many a second, and the CPU of one: medians, with their ratios. */
export function rateRow(name: string, { spans, base, each }: Rates): readonly string[] {
  const micros = (of: readonly Span[], take: (span: Span) => number): number => (median(of.map(take)) * 1_000) / each;
  const [wall, wallOfBase] = [micros(spans, ({ wallMs }) => wallMs), micros(base, ({ wallMs }) => wallMs)];
  const [cpu, cpuOfBase] = [micros(spans, ({ cpuMs }) => cpuMs), micros(base, ({ cpuMs }) => cpuMs)];
  return [
    name,
    `${fixed(1e6 / wall)} (${(wallOfBase / wall).toFixed(2)}×)`,
    `${fixed(cpu)} µs (${(cpu / cpuOfBase).toFixed(2)}×)`,
  ];
}
