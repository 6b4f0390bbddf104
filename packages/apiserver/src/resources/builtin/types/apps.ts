/** `apps/v1`. */
import { metaTypes } from './meta.ts';
import { podTypes } from './pods.ts';
import { TypeTable } from './type-table.ts';

export const appsTypes = new TypeTable(
  `
strings ConditionStatus DeploymentConditionType DeploymentStrategyType

Deployment : Keeps a number of equal pods running, and replaces them step by step.
   1 metadata ObjectMeta
   2 spec     DeploymentSpec
   3 status   DeploymentStatus

DeploymentSpec
   1 replicas                *int32             =1 : How many pods.
   2 selector                *LabelSelector     required : The pods that are its own. Cannot change.
   3 template                PodTemplateSpec    required : What each pod looks like.
   4 strategy                DeploymentStrategy retainKeys
   5 minReadySeconds         int32
   6 revisionHistoryLimit    *int32             =10
   7 paused                  bool : Whether changes of the template wait.
   9 progressDeadlineSeconds *int32             =600

DeploymentStrategy
   1 type          DeploymentStrategyType
   2 rollingUpdate *RollingUpdateDeployment

RollingUpdateDeployment
   1 maxUnavailable *IntOrString
   2 maxSurge       *IntOrString

DeploymentStatus
   1 observedGeneration  int64
   2 replicas            int32
   3 updatedReplicas     int32
   7 readyReplicas       int32
   4 availableReplicas   int32
   5 unavailableReplicas int32
   9 terminatingReplicas *int32
   6 conditions          []DeploymentCondition map(type) merge(type)
   8 collisionCount      *int32

DeploymentCondition
   1 type               DeploymentConditionType required
   2 status             ConditionStatus         required
   6 lastUpdateTime     Time
   7 lastTransitionTime Time
   4 reason             string
   5 message            string
`,
  podTypes,
  metaTypes,
);
