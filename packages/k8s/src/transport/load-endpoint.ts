import { delimiter } from 'node:path';
import type { Env } from '../app/env.ts';
import type { Endpoint } from './endpoint.ts';
import { inClusterEndpoint } from './in-cluster.ts';
import { loadKubeconfig } from './kubeconfig.ts';

/**
 * The endpoint that a setting names: a kubeconfig's current context (several files merge as in `KUBECONFIG`), or this pod's own API server
 * when there is no setting.
 *
 * @throws KubeconfigError
 */
export async function loadEndpoint(
  { files, variables, signal }: Pick<Env, 'files' | 'variables' | 'signal'>,
  kubeconfig: string | undefined,
): Promise<Endpoint> {
  if (kubeconfig === undefined) return (await inClusterEndpoint(files, variables, signal)).endpoint;
  return (await loadKubeconfig({ paths: kubeconfig.split(delimiter), files, signal })).endpoint;
}
