/** The small Karmada between real planes, as a process: `node harness/karmada.ts`. */
import { systemClock, systemRandom } from '@lifeline/core';
import { createTransportFactory, loadEndpoint, systemFiles } from '@lifeline/k8s';
import { createPropagation, recordedSettings } from '@lifeline/propagation';
import { adminClient } from './admin-client.ts';
import { createPolicy, joinMember } from './karmada-objects.ts';
import { edges, hub, kubeconfigOf, type PlaneName } from './names.ts';
import { tellReady } from './script.ts';

const { signal } = new AbortController();
const transports = createTransportFactory({ clock: systemClock, files: systemFiles, userAgent: 'karmada' });
const endpointOf = (plane: PlaneName) =>
  loadEndpoint({ files: systemFiles, variables: {}, signal }, kubeconfigOf(plane));

const hubEndpoint = await endpointOf(hub);
const members = await Promise.all(edges.map(async (edge) => ({ edge, endpoint: await endpointOf(edge) })));
const propagation = createPropagation({
  clock: systemClock,
  random: systemRandom,
  hub: { transport: transports(hubEndpoint, signal), baseUrl: hubEndpoint.server },
  // A Cluster says where it is; the way there is in the member's kubeconfig.
  members: ({ server }, life) => {
    const member = members.find(({ endpoint }) => endpoint.server === server);
    if (!member) throw new Error(`${server} is no member`);
    return transports(member.endpoint, life);
  },
  settings: recordedSettings,
});
const client = await adminClient(kubeconfigOf(hub), 'karmada');
await createPolicy(client);
propagation.start();
const join = (edge: string, apiEndpoint: string): Promise<void> =>
  joinMember(client, edge, { syncMode: 'Push', apiEndpoint });
await Promise.all(members.map(({ edge, endpoint }) => join(edge, endpoint.server)));
tellReady();
