/** A client with the rights of a kubeconfig, over real sockets, for as long as this process lives. */
import { systemClock, systemRandom } from '@lifeline/core';
import { type Client, createClient, createTransportFactory, loadEndpoint, systemFiles } from '@lifeline/k8s';

const { signal } = new AbortController();

/** Of whoever asks in tests. */
export const userAgent = 'e2e';

export async function adminClient(kubeconfig: string, agent: string = userAgent): Promise<Client> {
  const common = { clock: systemClock, files: systemFiles };
  const endpoint = await loadEndpoint({ files: systemFiles, variables: {}, signal }, kubeconfig);
  const transport = createTransportFactory({ ...common, userAgent: agent })(endpoint, signal);
  return createClient({
    transport,
    baseUrl: endpoint.server,
    random: systemRandom,
    clock: systemClock,
    userAgent: agent,
  });
}
