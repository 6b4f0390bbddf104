/** The example app with its knobs in reach: one controller, and leadership only where there are several replicas. */
import { mirror } from '@lifeline/example-mirror';
import {
  defineApp,
  defineController,
  fleetFactory,
  kubeconfigFolderSource,
  runManager,
  staticSource,
} from '@lifeline/k8s';
import { urlOf } from '@lifeline/sim';
import { z } from 'zod';
import { copies, mirrorLease, target } from './mirror-subject.ts';

const config = z.strictObject({
  floorMs: z.number().describe('every key is looked at again this often'),
  workers: z.number().describe('requests worked on at once'),
  deadlineMs: z.number().describe('of one reconcile'),
  elects: z.boolean().describe('whether replicas elect a leader'),
  leaseMs: z.number().describe('how long a silent leader is waited for'),
});
export type MicroConfig = z.infer<typeof config>;

export const targetKubeconfig = '/target.kubeconfig';
export const sourceKubeconfig = (plane: string): string => `/sources/${plane}.kubeconfig`;

export const microApp = defineApp<MicroConfig>({
  name: 'micro-mirror',
  description: 'the example, small and adjustable',
  config,
  async start(env, { elects, leaseMs, ...knobs }) {
    const fleet = fleetFactory(env, 'micro-mirror');
    const to = fleet({ plane: target, source: staticSource({ target: { endpoint: { server: urlOf(target) } } }) });
    const sources = fleet({ plane: 'source', source: kubeconfigFolderSource({ ...env, path: '/sources' }) });
    const controller = defineController({ ...mirror({ sources, target: to, namespace: copies }), ...knobs });
    const election = { provider: to, lease: mirrorLease, durationMs: leaseMs };
    await runManager(env, { fleets: [to, sources], controllers: [controller], ...(elects && { election }) });
  },
});
