import { feedEdgeIndex, indexWarnings, retranslation } from '@lifeline/edge';
import { createRetryBudget, defineApp, fleetFactory, loadEndpoint, runManager, staticSource } from '@lifeline/k8s';
import { config, type RetranslatorConfig } from './config.ts';

export const edgePlane = 'edge';

export const app = defineApp<RetranslatorConfig>({
  name: 'edge-retranslator',
  description: 'has Envoy Gateway translate again until what it programmed is what is wanted',
  config,
  async start(env, { edge: settings, reports }) {
    for (const warning of indexWarnings(settings)) env.log.warn({}, warning);
    const endpoint = await loadEndpoint(env, settings.kubeconfig);
    const fleet = fleetFactory(env, 'lifeline-edge-retranslator', createRetryBudget(env));
    const edge = fleet({ plane: edgePlane, source: staticSource({ [edgePlane]: { endpoint } }) });
    const { gatewayClasses: classes, stampAnnotation, namespaceLabel, sharedNodeIds } = settings;
    using feed = feedEdgeIndex({ env, edge, classes, stampKey: stampAnnotation, namespaceLabel, sharedNodeIds });
    using _ready = env.health.ready('index', () => feed.health());
    using _retranslation = retranslation({ env, index: feed.index, edge, classes, stampAnnotation, reports });
    await runManager(env, { fleets: [edge], controllers: [] });
  },
});
