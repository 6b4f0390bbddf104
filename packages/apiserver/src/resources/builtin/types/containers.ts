/** Containers of pods in `v1`. */
import { coreTypes } from './core.ts';
import { metaTypes } from './meta.ts';
import { TypeTable } from './type-table.ts';
import { volumeTypes } from './volumes.ts';

export const containerTypes = new TypeTable(
  `
strings AppArmorProfileType Capability ContainerRestartPolicy ContainerRestartRuleAction ContainerRestartRuleOnExitCodesOperator
strings MountPropagationMode ProcMountType Protocol PullPolicy RecursiveReadOnlyMode ResourceName ResourceResizeRestartPolicy
strings SeccompProfileType Signal TerminationMessagePolicy URIScheme

Container : A process from an image.
   1 name                     string                   required
   2 image                    string
   3 command                  []string                 atomic
   4 args                     []string                 atomic
   5 workingDir               string
   6 ports                    []ContainerPort          map(containerPort,protocol) merge(containerPort)
  19 envFrom                  []EnvFromSource          atomic
   7 env                      []EnvVar                 map(name) merge(name)
   8 resources                ResourceRequirements
  23 resizePolicy             []ContainerResizePolicy  atomic
  24 restartPolicy            *ContainerRestartPolicy
  25 restartPolicyRules       []ContainerRestartRule   atomic
   9 volumeMounts             []VolumeMount            map(mountPath) merge(mountPath)
  21 volumeDevices            []VolumeDevice           map(devicePath) merge(devicePath)
  10 livenessProbe            *Probe
  11 readinessProbe           *Probe
  22 startupProbe             *Probe
  12 lifecycle                *Lifecycle
  13 terminationMessagePath   string                   =/dev/termination-log
  20 terminationMessagePolicy TerminationMessagePolicy =File
  14 imagePullPolicy          PullPolicy
  15 securityContext          *SecurityContext
  16 stdin                    bool
  17 stdinOnce                bool
  18 tty                      bool

EphemeralContainer
   1 ...                 Container
   2 targetContainerName string

ContainerPort
   1 name          string
   2 hostPort      int32
   3 containerPort int32    required
   4 protocol      Protocol =TCP
   5 hostIP        string

EnvFromSource
   1 prefix       string
   2 configMapRef *ConfigMapEnvSource
   3 secretRef    *SecretEnvSource

ConfigMapEnvSource
   1 ...      LocalObjectReference
   2 optional *bool

SecretEnvSource
   1 ...      LocalObjectReference
   2 optional *bool

EnvVar
   1 name      string        required
   2 value     string
   3 valueFrom *EnvVarSource

EnvVarSource
   1 fieldRef         *ObjectFieldSelector
   2 resourceFieldRef *ResourceFieldSelector
   3 configMapKeyRef  *ConfigMapKeySelector
   4 secretKeyRef     *SecretKeySelector
   5 fileKeyRef       *FileKeySelector

ConfigMapKeySelector atomic
   1 ...      LocalObjectReference
   2 key      string               required
   3 optional *bool

SecretKeySelector atomic
   1 ...      LocalObjectReference
   2 key      string               required
   3 optional *bool

FileKeySelector atomic
   1 volumeName string required
   2 path       string required
   3 key        string required
   4 optional   *bool  =false

ResourceRequirements
   1 limits   map[string]Quantity
   2 requests map[string]Quantity
   3 claims   []ResourceClaim     map(name)

ResourceClaim
   1 name    string required
   2 request string

ContainerResizePolicy
   1 resourceName  ResourceName                required
   2 restartPolicy ResourceResizeRestartPolicy required

ContainerRestartRule
   1 action    ContainerRestartRuleAction       required omitempty
   2 exitCodes *ContainerRestartRuleOnExitCodes

ContainerRestartRuleOnExitCodes
   1 operator ContainerRestartRuleOnExitCodesOperator required omitempty
   2 values   []int32                                 set

VolumeMount
   1 name              string                 required
   2 readOnly          bool
   7 recursiveReadOnly *RecursiveReadOnlyMode
   3 mountPath         string                 required
   4 subPath           string
   5 mountPropagation  *MountPropagationMode
   6 subPathExpr       string

VolumeDevice
   1 name       string required
   2 devicePath string required

Probe
   1 ...                           ProbeHandler
   2 initialDelaySeconds           int32
   3 timeoutSeconds                int32        =1
   4 periodSeconds                 int32        =10
   5 successThreshold              int32        =1
   6 failureThreshold              int32        =3
   7 terminationGracePeriodSeconds *int64

ProbeHandler
   1 exec      *ExecAction
   2 httpGet   *HTTPGetAction
   3 tcpSocket *TCPSocketAction
   4 grpc      *GRPCAction

ExecAction
   1 command []string atomic

HTTPGetAction
   1 path        string       =/
   2 port        IntOrString  required
   3 host        string
   4 scheme      URIScheme    =HTTP
   5 httpHeaders []HTTPHeader atomic

HTTPHeader
   1 name  string required
   2 value string required

TCPSocketAction
   1 port IntOrString required
   2 host string

GRPCAction
   1 port    int32   required
   2 service *string always =""

Lifecycle
   1 postStart  *LifecycleHandler
   2 preStop    *LifecycleHandler
   3 stopSignal *Signal

LifecycleHandler
   1 exec      *ExecAction
   2 httpGet   *HTTPGetAction
   3 tcpSocket *TCPSocketAction
   4 sleep     *SleepAction

SleepAction
   1 seconds int64 required

SecurityContext
   1 capabilities             *Capabilities
   2 privileged               *bool
   3 seLinuxOptions           *SELinuxOptions
  10 windowsOptions           *WindowsSecurityContextOptions
   4 runAsUser                *int64
   8 runAsGroup               *int64
   5 runAsNonRoot             *bool
   6 readOnlyRootFilesystem   *bool
   7 allowPrivilegeEscalation *bool
   9 procMount                *ProcMountType
  11 seccompProfile           *SeccompProfile
  12 appArmorProfile          *AppArmorProfile

Capabilities
   1 add  []Capability atomic
   2 drop []Capability atomic

SELinuxOptions
   1 user  string
   2 role  string
   3 type  string
   4 level string

WindowsSecurityContextOptions
   1 gmsaCredentialSpecName *string
   2 gmsaCredentialSpec     *string
   3 runAsUserName          *string
   4 hostProcess            *bool

SeccompProfile
   1 type             SeccompProfileType required
   2 localhostProfile *string

AppArmorProfile
   1 type             AppArmorProfileType required
   2 localhostProfile *string
`,
  volumeTypes,
  coreTypes,
  metaTypes,
);
