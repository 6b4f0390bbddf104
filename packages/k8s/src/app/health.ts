/** The checks behind `/livez` and `/readyz`. */
import { describeError } from '@lifeline/core';
import type { Health, HealthState } from './env.ts';

export interface HealthReport {
  readonly ok: boolean;
  /** By name; in the order they were added. */
  readonly checks: readonly { readonly name: string; readonly state: HealthState }[];
}

export interface HealthRegistry extends Health {
  livez(): HealthReport;
  readyz(): HealthReport;
  /** By path. */
  readonly pages: ReadonlyMap<string, () => unknown>;
}

/** A check that throws counts as failed. Not ready before the first readiness check is there: nothing has started yet. */
export function createHealth(): HealthRegistry {
  const liveness = new Map<string, () => HealthState>();
  const readiness = new Map<string, () => HealthState>();
  const pages = new Map<string, () => unknown>();
  return {
    live: (name, check) => add(liveness, name, check),
    ready: (name, check) => add(readiness, name, check),
    page: (path, read) => add(pages, path, read),
    pages,
    livez: () => report(liveness, true),
    readyz: () => report(readiness, readiness.size > 0),
  };
}

function add<T>(checks: Map<string, T>, name: string, check: T): Disposable {
  if (checks.has(name)) throw new TypeError(`health check or page ${name} is already registered`);
  checks.set(name, check);
  return { [Symbol.dispose]: () => void (checks.get(name) === check && checks.delete(name)) };
}

function report(checks: ReadonlyMap<string, () => HealthState>, started: boolean): HealthReport {
  const results = [...checks].map(([name, check]) => ({ name, state: ask(check) }));
  return { ok: started && results.every(({ state }) => state.ok), checks: results };
}

function ask(check: () => HealthState): HealthState {
  try {
    return check();
  } catch (error) {
    return { ok: false, reason: describeError(error) };
  }
}

/** As kube-apiserver's verbose form: `[+]name ok` or `[-]name failed: why`, a line each. */
export function formatHealth({ ok, checks }: HealthReport): string {
  const lines = checks.map(({ name, state }) => (state.ok ? `[+]${name} ok` : `[-]${name} failed: ${state.reason}`));
  return `${[...lines, ok ? 'ok' : 'not ok'].join('\n')}\n`;
}
