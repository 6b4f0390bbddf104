/** Every kind that Lifeline speaks, one symbol each: its type and its descriptor. */
export { allKinds, kindById, kindOf, kubernetesKinds, platformKinds, thirdPartyKinds } from './all-kinds.ts';
export { type InstanceTemplate } from './compute/instance-template.ts';
export { Instance } from './compute/instance.ts';
export { WorkloadDeployment } from './compute/workload-deployment.ts';
export { Workload } from './compute/workload.ts';
export { BackendTrafficPolicy } from './envoy-gateway/backend-traffic-policy.ts';
export { Backend } from './envoy-gateway/backend.ts';
export { ClientTrafficPolicy } from './envoy-gateway/client-traffic-policy.ts';
export { EnvoyPatchPolicy } from './envoy-gateway/envoy-patch-policy.ts';
export { EnvoyProxy } from './envoy-gateway/envoy-proxy.ts';
export { HTTPRouteFilter } from './envoy-gateway/http-route-filter.ts';
export { SecurityPolicy } from './envoy-gateway/security-policy.ts';
export { BackendTLSPolicy } from './gateway/backend-tls-policy.ts';
export { GatewayClass } from './gateway/gateway-class.ts';
export { Gateway } from './gateway/gateway.ts';
export { HTTPRoute } from './gateway/http-route.ts';
export { KarmadaCluster } from './karmada/cluster.ts';
export { ClusterOverridePolicy, OverridePolicy } from './karmada/override-policy.ts';
export { ClusterPropagationPolicy, PropagationPolicy } from './karmada/propagation-policy.ts';
export { ClusterResourceBinding, ResourceBinding } from './karmada/resource-binding.ts';
export { ResourceInterpreterCustomization } from './karmada/resource-interpreter-customization.ts';
export { Work } from './karmada/work.ts';
export { ConfigMap } from './kubernetes/config-map.ts';
export { CustomResourceDefinition } from './kubernetes/custom-resource-definition.ts';
export { EndpointSlice } from './kubernetes/endpoint-slice.ts';
export { KubeEvent } from './kubernetes/event.ts';
export { Lease } from './kubernetes/lease.ts';
export { Namespace } from './kubernetes/namespace.ts';
export { ClusterRole, ClusterRoleBinding, Role, RoleBinding, type PolicyRule } from './kubernetes/rbac.ts';
export { Secret } from './kubernetes/secret.ts';
export { SelfSubjectAccessReview } from './kubernetes/self-subject-access-review.ts';
export { ServiceAccount } from './kubernetes/service-account.ts';
export { Service } from './kubernetes/service.ts';
export { ProjectControlPlane } from './milo/project-control-plane.ts';
export { Project } from './milo/project.ts';
export { ResourceClaim } from './milo/resource-claim.ts';
export { ConnectorAdvertisement } from './networking/connector-advertisement.ts';
export { ConnectorClass } from './networking/connector-class.ts';
export { Connector } from './networking/connector.ts';
export { HTTPProxy } from './networking/http-proxy.ts';
export { Location } from './networking/location.ts';
export { NetworkContext } from './networking/network-context.ts';
export { Network } from './networking/network.ts';
export { Subnet } from './networking/subnet.ts';
export { TrafficProtectionPolicy } from './networking/traffic-protection-policy.ts';
export {
  defineKind,
  type Kind,
  kindId,
  type KindObject,
  type KindSpec,
  type PrinterColumn,
  type ScaleSubresource,
} from './kind.ts';
export { type CelRule, type ServerRules, serverRules } from './server-rules.ts';
export { unknownKind } from './unknown-kind.ts';
