/** Runs an app as this process: the real clock, chance, network and files, signals, and the health and metrics ports. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import {
  describeError,
  type DurationMs,
  linkAbort,
  ownValue,
  systemClock,
  systemRandom,
  untilAborted,
} from '@lifeline/core';
import { createTransportFactory } from '../transport/create-transport.ts';
import { systemFiles } from '../transport/files.ts';
import { ConfigError, loadConfig } from './config.ts';
import type { App } from './define-app.ts';
import type { Log } from './env.ts';
import { createHealth, formatHealth, type HealthRegistry, type HealthReport } from './health.ts';
import { createLog } from './log.ts';
import { createMetrics } from './prometheus.ts';

/** What {@link processSettings} parse to. */
export interface ProcessConfig {
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  /** 0: any free port. */
  readonly healthPort: number;
  readonly metricsPort: number;
  readonly shutdownMs: DurationMs;
}

/** Somebody asked the process to stop: no failure. */
class StopRequest extends Error {}

/** Exit codes: 0 stopped in order, 1 could not go on, 2 the configuration cannot be used. */
export async function runMain<Config extends ProcessConfig>(app: App<Config>): Promise<never> {
  process.exit(await runProcess(app));
}

async function runProcess<Config extends ProcessConfig>(app: App<Config>): Promise<number> {
  using stop = linkAbort();
  const onSignal = (name: NodeJS.Signals): void => stop.abort(new StopRequest(`received ${name}`));
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, onSignal);
  let config: Config;
  try {
    const loaded = await loadConfig(app, {
      argv: process.argv.slice(2),
      variables: process.env,
      files: systemFiles,
      signal: stop.signal,
    });
    if (loaded.ask === 'print') {
      process.stdout.write(loaded.text);
      return 0;
    }
    config = loaded.config;
  } catch (error) {
    process.stderr.write(`${app.name}: ${startError(error)}\n`);
    return error instanceof ConfigError ? 2 : 1;
  }
  const log = createLog({
    clock: systemClock,
    write: (line) => process.stdout.write(line),
    level: config.logLevel,
    fields: { app: app.name },
  });
  process.on('unhandledRejection', (error) => {
    log.error({ err: error }, 'a promise failed unseen: stopping');
    stop.abort(error);
  });
  return await serve(app, config, { log, signal: stop.signal });
}

async function serve<Config extends ProcessConfig>(
  app: App<Config>,
  config: Config,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<number> {
  const metrics = createMetrics({ process: true });
  const health = createHealth();
  const servers: Server[] = [];
  try {
    servers.push(
      await listen(config.healthPort, () => healthRoutes(health)),
      await listen(config.metricsPort, () => ({
        '/metrics': (response) =>
          void metrics.text().then(
            (text) => response.setHeader('content-type', 'text/plain; version=0.0.4').end(text),
            (error: unknown) => response.writeHead(500).end(`${describeError(error)}\n`),
          ),
      })),
    );
    const transport = createTransportFactory({ clock: systemClock, files: systemFiles, log });
    const env = {
      clock: systemClock,
      random: systemRandom,
      transport,
      files: systemFiles,
      variables: process.env,
      log,
      metrics,
      health,
      signal,
    };
    await withinShutdown(app.start(env, config), config.shutdownMs, signal);
    log.info({ reason: signal.aborted ? describeError(signal.reason) : 'done' }, 'stopped');
    return signal.aborted && !(signal.reason instanceof StopRequest) ? 1 : 0;
  } catch (error) {
    log.error({ err: error }, 'cannot go on');
    return 1;
  } finally {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  }
}

/** The app's own result, or an error when it has not stopped in time after being asked to. */
async function withinShutdown(running: Promise<void>, shutdownMs: DurationMs, signal: AbortSignal): Promise<void> {
  const overtime = async (): Promise<never> => {
    await untilAborted(signal);
    await systemClock.sleep(shutdownMs);
    throw new Error(`not stopped within ${shutdownMs} ms`);
  };
  await Promise.race([running, overtime()]);
}

type Routes = Readonly<Record<string, (response: ServerResponse) => void>>;

/** @param routesNow by path; pages come and go */
function listen(port: number, routesNow: () => Routes): Promise<Server> {
  const server = createServer((request, response) => {
    const routes = routesNow();
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const route = request.method === 'GET' || request.method === 'HEAD' ? ownValue(routes, path) : undefined;
    if (route) route(response);
    else response.writeHead(404).end(`no such path: ${Object.keys(routes).join(', ')}\n`);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => resolve(server));
  });
}

const healthRoutes = (health: HealthRegistry): Routes => ({
  '/livez': (response) => sendHealth(response, health.livez()),
  '/readyz': (response) => sendHealth(response, health.readyz()),
  ...Object.fromEntries(
    Array.from(health.pages, ([path, read]) => [path, (response: ServerResponse) => sendPage(response, read)]),
  ),
});

function sendPage(response: ServerResponse, read: () => unknown): void {
  try {
    const text = JSON.stringify(read());
    response.writeHead(200, { 'content-type': 'application/json' }).end(`${text}\n`);
  } catch (error) {
    response.writeHead(500).end(`${describeError(error)}\n`);
  }
}

function sendHealth(response: ServerResponse, report: HealthReport): void {
  response.writeHead(report.ok ? 200 : 503, { 'content-type': 'text/plain' }).end(formatHealth(report));
}

function startError(error: unknown): string {
  if (!(error instanceof ConfigError)) return describeError(error);
  return ['the configuration cannot be used', ...error.problems.map((problem) => `  - ${problem}`)].join('\n');
}
