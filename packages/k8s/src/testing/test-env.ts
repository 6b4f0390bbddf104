import { type Clock, seeded } from '@lifeline/core';
import type { Env } from '../app/env.ts';
import { createHealth, type HealthRegistry } from '../app/health.ts';
import { createLog } from '../app/log.ts';
import { createMetrics } from '../app/prometheus.ts';
import { filesOf } from './files.ts';
import type { ScriptedApi } from './scripted-api.ts';

export interface TestEnv extends Env {
  readonly health: HealthRegistry;
  /** What was logged, a line each. */
  readonly lines: string[];
}

export interface TestEnvOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Planes by the server URL of their endpoints. */
  readonly planes?: Readonly<Record<string, ScriptedApi>> | undefined;
  readonly files?: Readonly<Record<string, string>> | undefined;
}

/** An Env whose network is a few scripted planes. */
export function testEnv({ clock, signal, planes = {}, files = {} }: TestEnvOptions): TestEnv {
  const lines: string[] = [];
  return {
    clock,
    random: seeded('env'),
    transport: ({ server }) => {
      const plane = planes[server];
      if (!plane) throw new TypeError(`no plane at ${server}`);
      return plane.transport;
    },
    files: filesOf(files),
    variables: {},
    log: createLog({ clock, write: (line) => lines.push(line), level: 'debug' }),
    metrics: createMetrics(),
    health: createHealth(),
    signal,
    lines,
  };
}
