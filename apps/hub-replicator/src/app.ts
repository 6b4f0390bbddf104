import { linkAbort, replicationDefaults } from '@lifeline/core';
import {
  type Client,
  createClient,
  createRetryBudget,
  createShards,
  defineApp,
  type Endpoint,
  type Env,
  fleetFactory,
  loadEndpoint,
  type RetryBudget,
  runManager,
  shardedSource,
  staticSource,
} from '@lifeline/k8s';
import { config, type ReplicatorConfig } from './config.ts';
import { connectorCensus } from './connector/census.ts';
import { hubPlane, projectPlane, projectsOf } from './projects.ts';
import { replicatorControllers } from './controllers.ts';
import { installationId } from './installation.ts';
import { policiesOf } from './mirror/kinds.ts';
import { Lag } from './mirror/lag.ts';
import { BehindProjects } from './watermark/behind.ts';
import { runWatermark } from './watermark/run-watermark.ts';

const userAgent = 'lifeline-hub-replicator';
/** A change that is on the hub within this time does not make its project one that is behind. */
const behindGraceMs = 30_000;

export const app = defineApp<ReplicatorConfig>({
  name: 'hub-replicator',
  description: 'decides whether connectors are alive, and carries what projects say to the hub',
  config,
  async start(env, settings) {
    const { policies, warnings } = policiesOf(settings.kinds);
    for (const warning of warnings) env.log.warn({}, warning);
    const endpoint = await loadEndpoint(env, settings.hub.kubeconfig);
    const budget = createRetryBudget(env);
    const client = hubClient(env, { endpoint, budget });
    const installation = await unlessStopped(env, installationId({ client, env, configured: settings.installation }));
    if (installation === undefined) return;
    env.log.info({ installation }, 'this installation');

    const fleet = fleetFactory(env, userAgent, budget);
    const hub = fleet({ plane: hubPlane, source: staticSource({ [hubPlane]: { endpoint } }) });
    const shards = createShards(env, { provider: hub, ...settings.shards });
    const { source, followed, authority } = await projectsOf({
      env,
      settings: settings.projects,
      hub: endpoint,
      fleet,
    });
    const projects = fleet({ plane: projectPlane, source: shardedSource(source, shards) });
    const lag = new Lag(env);
    const controllers = replicatorControllers({
      env,
      settings,
      policies,
      installation,
      lag,
      hub,
      projects,
      authority,
      shards,
    });
    const behind = new BehindProjects({
      clock: env.clock,
      projects,
      oldest: (project) => lag.oldest(project),
      graceMs: behindGraceMs,
    });

    const isSingle = settings.projects.mode === 'single';
    using _census = connectorCensus({ projects, metrics: env.metrics, isSingle });
    using running = linkAbort(env.signal);
    const watermark = runWatermark(
      {
        client,
        clock: env.clock,
        log: env.log,
        installation,
        shards,
        behind: () => behind.list(),
        everyMs: replicationDefaults.watermarkEveryMs,
      },
      running.signal,
    );
    try {
      await runManager(env, { fleets: [hub, ...followed, projects], controllers, shards });
    } finally {
      running.abort();
      await watermark;
    }
  },
});

interface HubClientOptions {
  readonly endpoint: Endpoint;
  readonly budget: RetryBudget;
}

const hubClient = (env: Env, { endpoint, budget }: HubClientOptions): Client =>
  createClient({ ...env, transport: env.transport(endpoint, env.signal), baseUrl: endpoint.server, budget, userAgent });

/** Undefined when the app was asked to stop meanwhile. */
async function unlessStopped<T>({ signal }: Env, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
