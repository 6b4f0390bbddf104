/** An app as a value: what it is called, what it reads from its configuration, and how it starts. */
import type { z } from 'zod';
import type { Env } from './env.ts';

export interface App<Config = unknown> {
  /** Kebab-case; names the process in logs, field managers aside. */
  readonly name: string;
  /** One line for `--help`. */
  readonly description: string;
  /** A zod object whose leaves are described: they are the flags, the environment variables and the file's keys. */
  readonly config: z.ZodType<Config>;
  /**
   * Runs the app. Resolves when `env.signal` has aborted and everything was stopped in order; rejects when the app cannot go on (a lost
   * lease, a port in use). Holds no state outside this call: any number of apps run in one process.
   */
  readonly start: (env: Env, config: Config) => Promise<void>;
}

export function defineApp<Config>(app: App<Config>): App<Config> {
  if (!/^[a-z][a-z0-9-]*$/.test(app.name)) throw new TypeError(`app name "${app.name}" is not kebab-case`);
  return Object.freeze({ ...app });
}
