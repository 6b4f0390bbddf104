import type { Files } from '../app/env.ts';
import { KubeconfigError } from './kubeconfig-error.ts';
import type { LoadedEndpoint } from './kubeconfig.ts';

const folder = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * The API server of the cluster that this pod runs in, as its service account: token and CA are followed as the kubelet rotates them.
 *
 * @param variables the process environment
 * @throws KubeconfigError `not-in-cluster`
 * @see https://kubernetes.io/docs/tasks/run-application/access-api-from-pod/#directly-accessing-the-rest-api
 */
export async function inClusterEndpoint(
  files: Files,
  variables: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<LoadedEndpoint> {
  const host = variables['KUBERNETES_SERVICE_HOST'];
  const port = variables['KUBERNETES_SERVICE_PORT'];
  if (!host || !port) {
    const message = 'KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set: this is no pod';
    throw new KubeconfigError('not-in-cluster', message);
  }
  const read = async (name: string): Promise<string> => {
    const bytes = await files.read(`${folder}/${name}`, signal).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new KubeconfigError('not-in-cluster', `the pod has no service account files (${name})`, { cause });
    });
    return new TextDecoder().decode(bytes).trim();
  };
  await Promise.all([read('token'), read('ca.crt')]);
  const namespace = await read('namespace');
  return {
    endpoint: {
      server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
      tls: { ca: { file: `${folder}/ca.crt` } },
      credentials: { type: 'tokenFile', path: `${folder}/token` },
    },
    namespace: namespace || undefined,
    context: undefined,
  };
}
