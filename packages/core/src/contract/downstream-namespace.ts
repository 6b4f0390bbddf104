/** The one way to make a downstream Namespace. */
import { type Identity, identityOf } from './identity.ts';
import { downstreamNamespace } from './names.ts';

/** A Namespace of a project. */
export interface UpstreamNamespace {
  readonly cluster: string;
  readonly name: string;
  readonly uid: string;
}

/** A Namespace as it is sent to be created. */
export interface NamespaceObject {
  apiVersion: 'v1';
  kind: 'Namespace';
  metadata: { name: string } & Identity;
}

/**
 * The Namespace that holds the copies of everything in an upstream Namespace, to be created in one request: Envoy Gateway's namespace
 * selector reads labels when the Namespace appears, so labels that come later come too late.
 * @throws ContractError `missing-uid`
 */
export const downstreamNamespaceObject = (upstream: UpstreamNamespace, installation: string): NamespaceObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name: downstreamNamespace(upstream.uid),
    ...identityOf({ ...upstream, group: '', kind: 'Namespace', namespace: upstream.name }, installation),
  },
});
