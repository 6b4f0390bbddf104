/** The example app's process with controllers of a test's own in it: for what ConfigMaps alone cannot tell. */
import { config, mirror, type MirrorConfig } from '@lifeline/example-mirror';
import { ConfigMap, keyOf } from '@lifeline/core';
import {
  type App,
  type ClusterProvider,
  type ClusterSource,
  type Controller,
  defineApp,
  defineController,
  type Env,
  fleetFactory,
  kubeconfigFolderSource,
  loadEndpoint,
  runManager,
  type Selection,
  self,
  type SoundEvent,
  staticSource,
  watch,
} from '@lifeline/k8s';

export interface Planes {
  readonly sources: ClusterProvider;
  readonly target: ClusterProvider;
}

export interface TestAppOptions {
  /** Default: the folder of kubeconfigs, as in the example app. */
  readonly source?: ((env: Env, target: ClusterProvider) => ClusterSource) | undefined;
}

/** Starts as the example app does. */
export const appWith = (
  controllers: (planes: Planes) => readonly Controller[],
  { source = (env) => kubeconfigFolderSource({ ...env, path: '/sources' }) }: TestAppOptions = {},
): App<MirrorConfig> =>
  defineApp<MirrorConfig>({
    name: 'example-mirror',
    description: 'the example app with other controllers',
    config,
    async start(env, { target: to, leaderElection }) {
      const fleet = fleetFactory(env, 'lifeline-example-mirror');
      const endpoint = await loadEndpoint(env, to.kubeconfig);
      const target = fleet({ plane: 'target', source: staticSource({ target: { endpoint } }) });
      const sources = fleet({ plane: 'source', source: source(env, target) });
      await runManager(env, {
        fleets: [target, sources],
        controllers: controllers({ sources, target }),
        election: { provider: target, lease: leaderElection, durationMs: leaderElection.durationMs },
      });
    },
  });

/** What the mirror asks a source for: a watch with these options shares its informer. */
export function mirrored(planes: Planes): Selection {
  const { watches } = mirror({ ...planes, namespace: 'mirrors' });
  return watches.find(({ provider }) => provider === planes.sources)?.selection ?? {};
}

/** Hears what the mirror hears, from the same informer. */
export const listener = (planes: Planes, hear: (event: SoundEvent<ConfigMap>) => void): Controller =>
  defineController({
    name: 'listener',
    watches: [
      watch(planes.sources, ConfigMap, {
        ...mirrored(planes),
        mapper: self,
        predicate: (event) => {
          hear(event);
          return false;
        },
      }),
    ],
    writes: [],
    reconcile: async () => ({}),
  });

/** `updated default/a 1→2`: an event with the value of one entry of `data`. */
export function describeEvent(event: SoundEvent<ConfigMap>, entry = 'v'): string {
  const valueOf = (object: ConfigMap): string => object.data?.[entry] ?? '-';
  const values = event.type === 'updated' ? `${valueOf(event.old)}→${valueOf(event.object)}` : valueOf(event.object);
  return `${event.type} ${keyOf(event.object)} ${values}`;
}
