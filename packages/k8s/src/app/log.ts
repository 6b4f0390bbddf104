/** pino, with the time from the injected clock and with guards against what must never be logged. */
import { type Clock, describeError } from '@lifeline/core';
import pino, { type Level } from 'pino';
import type { Log } from './env.ts';

export interface LogOptions {
  readonly clock: Clock;
  /** Takes one line, with its line feed. */
  readonly write: (line: string) => void;
  /** Default `info`. */
  readonly level?: Level | undefined;
  /** On every line: `app`, `replica`. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Guarantees: one JSON object a line; `time` in RFC 3339 from the clock; errors as text with their causes; fields named like secrets are
 * masked at any depth; Kubernetes objects shrink to their kind, namespace and name.
 */
export function createLog({ clock, write, level = 'info', fields = {} }: LogOptions): Log {
  return pino(
    {
      level,
      base: fields,
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: (object) => cleanFields(object, 0) },
      serializers: { err: (error: unknown) => describeError(error) },
    },
    { write },
  );
}

const secretName = /(token|secret|password|passwd|authorization|credential|private_?key|client_?key)/i;

function cleanFields(fields: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      secretName.test(key) && isText(value) ? '***' : clean(value, depth),
    ]),
  );
}

const isText = (value: unknown): boolean => typeof value === 'string' || typeof value === 'object';

function clean(value: unknown, depth: number): unknown {
  if (value instanceof Error) return describeError(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 3) return '…';
  if (Array.isArray(value)) return value.slice(0, 20).map((item) => clean(item, depth + 1));
  if ('metadata' in value) {
    const { kind, metadata } = value as { kind?: unknown; metadata?: { namespace?: unknown; name?: unknown } };
    return { kind, namespace: metadata?.namespace, name: metadata?.name };
  }
  return cleanFields(value, depth + 1);
}
