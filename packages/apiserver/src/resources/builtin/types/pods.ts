/** Pods of `v1`, as templates have them. */
import { containerTypes } from './containers.ts';
import { coreTypes } from './core.ts';
import { metaTypes } from './meta.ts';
import { TypeTable } from './type-table.ts';
import { volumeTypes } from './volumes.ts';

export const podTypes = new TypeTable(
  `
strings DNSPolicy NodeInclusionPolicy NodeSelectorOperator OSName PodConditionType PodFSGroupChangePolicy PodSELinuxChangePolicy
strings PreemptionPolicy RestartPolicy SupplementalGroupsPolicy TaintEffect TolerationOperator UnsatisfiableConstraintAction

PodTemplateSpec : What pods made from it look like.
   1 metadata ObjectMeta
   2 spec     PodSpec

PodSpec : What runs together on one node.
   1 volumes                       []Volume                   map(name) merge,retainKeys(name)
  20 initContainers                []Container                map(name) merge(name)
   2 containers                    []Container                required map(name) merge(name)
  34 ephemeralContainers           []EphemeralContainer       map(name) merge(name)
   3 restartPolicy                 RestartPolicy              =Always
   4 terminationGracePeriodSeconds *int64                     =30
   5 activeDeadlineSeconds         *int64
   6 dnsPolicy                     DNSPolicy                  =ClusterFirst
   7 nodeSelector                  map[string]string          atomic
   8 serviceAccountName            string
   9 serviceAccount                string
  21 automountServiceAccountToken  *bool
  10 nodeName                      string
  11 hostNetwork                   bool
  12 hostPID                       bool
  13 hostIPC                       bool
  27 shareProcessNamespace         *bool
  14 securityContext               *PodSecurityContext        ={}
  15 imagePullSecrets              []LocalObjectReference     map(name) merge(name)
  16 hostname                      string
  17 subdomain                     string
  18 affinity                      *Affinity
  19 schedulerName                 string                     =default-scheduler
  22 tolerations                   []Toleration               atomic
  23 hostAliases                   []HostAlias                map(ip) merge(ip)
  24 priorityClassName             string
  25 priority                      *int32
  26 dnsConfig                     *PodDNSConfig
  28 readinessGates                []PodReadinessGate         atomic
  29 runtimeClassName              *string
  30 enableServiceLinks            *bool
  31 preemptionPolicy              *PreemptionPolicy
  32 overhead                      map[string]Quantity
  33 topologySpreadConstraints     []TopologySpreadConstraint map(topologyKey,whenUnsatisfiable) merge(topologyKey)
  35 setHostnameAsFQDN             *bool
  36 os                            *PodOS
  37 hostUsers                     *bool
  38 schedulingGates               []PodSchedulingGate        map(name) merge(name)
  39 resourceClaims                []PodResourceClaim         map(name) merge,retainKeys(name)
  40 resources                     *ResourceRequirements
  41 hostnameOverride              *string
  43 schedulingGroup               *PodSchedulingGroup

PodSecurityContext
   1 seLinuxOptions           *SELinuxOptions
   8 windowsOptions           *WindowsSecurityContextOptions
   2 runAsUser                *int64
   6 runAsGroup               *int64
   3 runAsNonRoot             *bool
   4 supplementalGroups       []int64                        atomic
  12 supplementalGroupsPolicy *SupplementalGroupsPolicy
   5 fsGroup                  *int64
   7 sysctls                  []Sysctl                       atomic
   9 fsGroupChangePolicy      *PodFSGroupChangePolicy
  10 seccompProfile           *SeccompProfile
  11 appArmorProfile          *AppArmorProfile
  13 seLinuxChangePolicy      *PodSELinuxChangePolicy

Sysctl
   1 name  string required
   2 value string required

Affinity
   1 nodeAffinity    *NodeAffinity
   2 podAffinity     *PodAffinity
   3 podAntiAffinity *PodAntiAffinity

NodeAffinity
   1 requiredDuringSchedulingIgnoredDuringExecution  *NodeSelector
   2 preferredDuringSchedulingIgnoredDuringExecution []PreferredSchedulingTerm atomic

NodeSelector atomic
   1 nodeSelectorTerms []NodeSelectorTerm required atomic

NodeSelectorTerm atomic
   1 matchExpressions []NodeSelectorRequirement atomic
   2 matchFields      []NodeSelectorRequirement atomic

NodeSelectorRequirement
   1 key      string               required
   2 operator NodeSelectorOperator required
   3 values   []string             atomic

PreferredSchedulingTerm
   1 weight     int32            required
   2 preference NodeSelectorTerm required

PodAffinity
   1 requiredDuringSchedulingIgnoredDuringExecution  []PodAffinityTerm         atomic
   2 preferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm atomic

PodAntiAffinity
   1 requiredDuringSchedulingIgnoredDuringExecution  []PodAffinityTerm         atomic
   2 preferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm atomic

PodAffinityTerm
   1 labelSelector     *LabelSelector
   2 namespaces        []string       atomic
   3 topologyKey       string         required
   4 namespaceSelector *LabelSelector
   5 matchLabelKeys    []string       atomic
   6 mismatchLabelKeys []string       atomic

WeightedPodAffinityTerm
   1 weight          int32           required
   2 podAffinityTerm PodAffinityTerm required

Toleration
   1 key               string
   2 operator          TolerationOperator
   3 value             string
   4 effect            TaintEffect
   5 tolerationSeconds *int64

HostAlias
   1 ip        string   required
   2 hostnames []string atomic

PodDNSConfig
   1 nameservers []string             atomic
   2 searches    []string             atomic
   3 options     []PodDNSConfigOption atomic

PodDNSConfigOption
   1 name  string
   2 value *string

PodReadinessGate
   1 conditionType PodConditionType required

TopologySpreadConstraint
   1 maxSkew            int32                         required
   2 topologyKey        string                        required
   3 whenUnsatisfiable  UnsatisfiableConstraintAction required
   4 labelSelector      *LabelSelector
   5 minDomains         *int32
   6 nodeAffinityPolicy *NodeInclusionPolicy
   7 nodeTaintsPolicy   *NodeInclusionPolicy
   8 matchLabelKeys     []string                      atomic

PodOS
   1 name OSName required

PodSchedulingGate
   1 name string required

PodResourceClaim
   1 name                      string  required
   3 resourceClaimName         *string
   4 resourceClaimTemplateName *string

PodSchedulingGroup
   1 podGroupName *string
`,
  containerTypes,
  volumeTypes,
  coreTypes,
  metaTypes,
);
