/** `v1`, without pods. */
import { metaTypes } from './meta.ts';
import { TypeTable } from './type-table.ts';

export const coreTypes = new TypeTable(
  `
strings ConditionStatus FinalizerName IPFamily IPFamilyPolicy LoadBalancerIPMode NamespaceConditionType NamespacePhase Protocol
strings SecretType ServiceAffinity ServiceExternalTrafficPolicy ServiceInternalTrafficPolicy ServiceType

Namespace : A room for names, and what rights and quotas are given for.
   1 metadata ObjectMeta
   2 spec     NamespaceSpec
   3 status   NamespaceStatus

NamespaceSpec
   1 finalizers []FinalizerName atomic : What must be empty before the namespace goes.

NamespaceStatus
   1 phase      NamespacePhase : Active or Terminating.
   2 conditions []NamespaceCondition map(type) merge(type)

NamespaceCondition
   1 type               NamespaceConditionType required
   2 status             ConditionStatus        required
   4 lastTransitionTime Time
   5 reason             string
   6 message            string

ConfigMap : Configuration that pods and programs read.
   1 metadata   ObjectMeta
   4 immutable  *bool : Whether data can no longer change.
   2 data       map[string]string : Texts by key. Keys consist of letters, digits and . _ -
   3 binaryData map[string]bytes : Bytes by key, in base64. No key may be in data too.

Secret : Confidential data. Keys and values together are at most 1 MiB.
   1 metadata   ObjectMeta
   5 immutable  *bool : Whether data can no longer change.
   2 data       map[string]bytes : Bytes by key, in base64.
   4 stringData map[string]string : Texts by key, written over data. Never read back.
   3 type       SecretType        =Opaque : What kind of data it is. Cannot change.

ServiceAccount : Who a program is to the API server.
   1 metadata                     ObjectMeta
   2 secrets                      []ObjectReference      map(name) merge(name)
   3 imagePullSecrets             []LocalObjectReference atomic
   4 automountServiceAccountToken *bool

LocalObjectReference atomic : An object in the same namespace.
   1 name string

ObjectReference atomic : Another object.
   1 kind            string
   2 namespace       string
   3 name            string
   4 uid             UID
   5 apiVersion      string
   6 resourceVersion string
   7 fieldPath       string

Event : Something that happened to an object. Kept for a while only.
   1 metadata           ObjectMeta       required
   2 involvedObject     ObjectReference  required : What it happened to.
   3 reason             string : Why, in one word that programs can read.
   4 message            string : What happened, for people.
   5 source             EventSource
   6 firstTimestamp     Time
   7 lastTimestamp      Time
   8 count              int32 : How often it happened.
   9 type               string : Normal or Warning.
  10 eventTime          MicroTime : When it was first seen.
  11 series             *EventSeries : That it goes on happening.
  12 action             string : What was done, or failed.
  13 related            *ObjectReference
  14 reportingComponent string           always : The controller that says so.
  15 reportingInstance  string           always

EventSource
   1 component string
   2 host      string

EventSeries
   1 count            int32
   2 lastObservedTime MicroTime

Service : A name and an address for a set of pods.
   1 metadata ObjectMeta
   2 spec     ServiceSpec
   3 status   ServiceStatus

ServiceSpec
   1 ports                         []ServicePort                 map(port,protocol) merge(port)
   2 selector                      map[string]string             atomic : Labels of the pods. None: somebody else writes the EndpointSlices.
   3 clusterIP                     string : Its address inside the cluster; "None" for a headless Service.
  18 clusterIPs                    []string                      atomic
   4 type                          ServiceType                   =ClusterIP : ClusterIP, NodePort, LoadBalancer or ExternalName.
   5 externalIPs                   []string                      atomic
   7 sessionAffinity               ServiceAffinity               =None
   8 loadBalancerIP                string
   9 loadBalancerSourceRanges      []string                      atomic
  10 externalName                  string
  11 externalTrafficPolicy         ServiceExternalTrafficPolicy
  12 healthCheckNodePort           int32
  13 publishNotReadyAddresses      bool
  14 sessionAffinityConfig         *SessionAffinityConfig
  19 ipFamilies                    []IPFamily                    atomic
  17 ipFamilyPolicy                *IPFamilyPolicy
  20 allocateLoadBalancerNodePorts *bool
  21 loadBalancerClass             *string
  22 internalTrafficPolicy         *ServiceInternalTrafficPolicy
  23 trafficDistribution           *string

ServicePort
   1 name        string
   2 protocol    Protocol    =TCP
   6 appProtocol *string
   3 port        int32       required
   4 targetPort  IntOrString : Number or name of the port on the pods. Default: the same number.
   5 nodePort    int32

ServiceStatus
   1 loadBalancer LoadBalancerStatus
   2 conditions   []Condition        map(type) merge(type)

LoadBalancerStatus
   1 ingress []LoadBalancerIngress atomic

LoadBalancerIngress
   1 ip       string
   2 hostname string
   3 ipMode   *LoadBalancerIPMode
   4 ports    []PortStatus        atomic

PortStatus
   1 port     int32    required
   2 protocol Protocol required
   3 error    *string

SessionAffinityConfig
   1 clientIP *ClientIPConfig

ClientIPConfig
   1 timeoutSeconds *int32
`,
  metaTypes,
);
