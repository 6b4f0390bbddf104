/** Every kind, by where it comes from, and how to find one. */
import { Instance } from './compute/instance.ts';
import { Workload } from './compute/workload.ts';
import { WorkloadDeployment } from './compute/workload-deployment.ts';
import { Backend } from './envoy-gateway/backend.ts';
import { BackendTrafficPolicy } from './envoy-gateway/backend-traffic-policy.ts';
import { ClientTrafficPolicy } from './envoy-gateway/client-traffic-policy.ts';
import { EnvoyPatchPolicy } from './envoy-gateway/envoy-patch-policy.ts';
import { EnvoyProxy } from './envoy-gateway/envoy-proxy.ts';
import { HTTPRouteFilter } from './envoy-gateway/http-route-filter.ts';
import { SecurityPolicy } from './envoy-gateway/security-policy.ts';
import { BackendTLSPolicy } from './gateway/backend-tls-policy.ts';
import { Gateway } from './gateway/gateway.ts';
import { GatewayClass } from './gateway/gateway-class.ts';
import { HTTPRoute } from './gateway/http-route.ts';
import { KarmadaCluster } from './karmada/cluster.ts';
import { ClusterOverridePolicy, OverridePolicy } from './karmada/override-policy.ts';
import { ClusterPropagationPolicy, PropagationPolicy } from './karmada/propagation-policy.ts';
import { ClusterResourceBinding, ResourceBinding } from './karmada/resource-binding.ts';
import { ResourceInterpreterCustomization } from './karmada/resource-interpreter-customization.ts';
import { Work } from './karmada/work.ts';
import { type Kind, kindId } from './kind.ts';
import { ConfigMap } from './kubernetes/config-map.ts';
import { CustomResourceDefinition } from './kubernetes/custom-resource-definition.ts';
import { EndpointSlice } from './kubernetes/endpoint-slice.ts';
import { KubeEvent } from './kubernetes/event.ts';
import { Lease } from './kubernetes/lease.ts';
import { Namespace } from './kubernetes/namespace.ts';
import { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from './kubernetes/rbac.ts';
import { Secret } from './kubernetes/secret.ts';
import { SelfSubjectAccessReview } from './kubernetes/self-subject-access-review.ts';
import { Service } from './kubernetes/service.ts';
import { ServiceAccount } from './kubernetes/service-account.ts';
import { Project } from './milo/project.ts';
import { ProjectControlPlane } from './milo/project-control-plane.ts';
import { ResourceClaim } from './milo/resource-claim.ts';
import { Connector } from './networking/connector.ts';
import { ConnectorAdvertisement } from './networking/connector-advertisement.ts';
import { ConnectorClass } from './networking/connector-class.ts';
import { HTTPProxy } from './networking/http-proxy.ts';
import { Location } from './networking/location.ts';
import { Network } from './networking/network.ts';
import { NetworkContext } from './networking/network-context.ts';
import { Subnet } from './networking/subnet.ts';
import { TrafficProtectionPolicy } from './networking/traffic-protection-policy.ts';

/** Kinds of the platform: their CustomResourceDefinitions are ours. */
export const platformKinds: readonly Kind[] = [
  Connector,
  ConnectorAdvertisement,
  ConnectorClass,
  HTTPProxy,
  Location,
  Network,
  NetworkContext,
  Subnet,
  TrafficProtectionPolicy,
  Workload,
  WorkloadDeployment,
  Instance,
  ResourceClaim,
  Project,
  ProjectControlPlane,
];

/** Kinds that Gateway API, Envoy Gateway and Karmada bring along. */
export const thirdPartyKinds: readonly Kind[] = [
  Gateway,
  GatewayClass,
  HTTPRoute,
  BackendTLSPolicy,
  EnvoyProxy,
  Backend,
  BackendTrafficPolicy,
  ClientTrafficPolicy,
  EnvoyPatchPolicy,
  HTTPRouteFilter,
  SecurityPolicy,
  PropagationPolicy,
  ClusterPropagationPolicy,
  OverridePolicy,
  ClusterOverridePolicy,
  ResourceBinding,
  ClusterResourceBinding,
  Work,
  KarmadaCluster,
  ResourceInterpreterCustomization,
];

/** Kinds that every API server has. */
export const kubernetesKinds: readonly Kind[] = [
  ConfigMap,
  Namespace,
  Secret,
  Service,
  ServiceAccount,
  EndpointSlice,
  Lease,
  KubeEvent,
  Role,
  RoleBinding,
  ClusterRole,
  ClusterRoleBinding,
  SelfSubjectAccessReview,
  CustomResourceDefinition,
];

export const allKinds: readonly Kind[] = [...platformKinds, ...thirdPartyKinds, ...kubernetesKinds];

const byId: ReadonlyMap<string, Kind> = new Map(allKinds.map((kind) => [kind.id, kind]));

/** The kind with this `id`: `Connector.networking.datumapis.com`, `ConfigMap`. */
export const kindById = (id: string): Kind | undefined => byId.get(id);

/** The kind that an object or a reference names, in whatever version. Group `''` has no slash in `apiVersion`. */
export function kindOf(object: { readonly apiVersion: string; readonly kind: string }): Kind | undefined {
  const slash = object.apiVersion.indexOf('/');
  return byId.get(kindId(slash < 0 ? '' : object.apiVersion.slice(0, slash), object.kind));
}
