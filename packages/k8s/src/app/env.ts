/** Everything an app may touch of the outside world. `main.ts` builds the real one; a simulator builds any other. */
import type { Clock, Random } from '@lifeline/core';
import type { DeliveryInterceptor } from '../cache/delivery.ts';
import type { TransportFactory } from '../transport/endpoint.ts';
import type { Metrics } from './metrics.ts';

export interface Env {
  readonly clock: Clock;
  readonly random: Random;
  readonly transport: TransportFactory;
  readonly files: Files;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly health: Health;
  /** The process environment: where a pod finds its API server. Settings come through the app's configuration. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Asks the app to stop, in order. */
  readonly signal: AbortSignal;
  /** How caches are kept. For tests and simulators: production leaves it out. */
  readonly caches?: CacheSettings | undefined;
}

export interface CacheSettings {
  /** Deeply frozen objects, so that a reader who changes one fails. Default false. */
  readonly freeze?: boolean | undefined;
  /** Between each reflector and its store. */
  readonly intercept?: DeliveryInterceptor | undefined;
}

/** Read-only files. Paths are absolute or relative to the process. */
export interface Files {
  /** @throws FileError `not-found`, `unreadable` */
  read(path: string, signal: AbortSignal): Promise<Uint8Array>;
  /** Names (not paths) of the entries, sorted. @throws FileError */
  list(path: string, signal: AbortSignal): Promise<readonly string[]>;
}

/** Fields by the names that logs are searched by: `cluster`, `kind`, `namespace`, `name`. Never a secret, never a whole object. */
export type LogFields = Readonly<Record<string, unknown>>;

/** One event a line. pino's logger is one. */
export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  child(fields: LogFields): Log;
}

/** `ok`, or why not. */
export type HealthState = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** Named checks behind `/livez` and `/readyz`, and pages beside them. Asked on each request; must be quick and do no I/O. */
export interface Health {
  live(name: string, check: () => HealthState): Disposable;
  ready(name: string, check: () => HealthState): Disposable;
  /** Shows a value as JSON at a path of the health port, to anyone who can reach it. Never a secret. */
  page(path: string, read: () => unknown): Disposable;
}
