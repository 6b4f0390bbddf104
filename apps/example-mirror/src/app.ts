import { defineApp, fleetFactory, kubeconfigFolderSource, loadEndpoint, runManager, staticSource } from '@lifeline/k8s';
import { config, type MirrorConfig } from './config.ts';
import { mirror } from './mirror/controller.ts';

export const app = defineApp<MirrorConfig>({
  name: 'example-mirror',
  description: 'mirrors labelled ConfigMaps of many planes into one',
  config,
  async start(env, { sources: from, target: to, leaderElection }) {
    const fleet = fleetFactory(env, 'lifeline-example-mirror');
    const endpoint = await loadEndpoint(env, to.kubeconfig);
    const target = fleet({ plane: 'target', source: staticSource({ target: { endpoint } }) });
    const sources = fleet({
      plane: 'source',
      source: kubeconfigFolderSource({ ...env, path: from.kubeconfigs }),
    });
    await runManager(env, {
      fleets: [target, sources],
      controllers: [mirror({ sources, target, namespace: to.namespace })],
      election: { provider: target, lease: leaderElection, durationMs: leaderElection.durationMs },
    });
  },
});
