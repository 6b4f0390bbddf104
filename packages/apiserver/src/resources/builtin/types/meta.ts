/** `meta/v1`: what every object carries, and options. */
import { TypeTable } from './type-table.ts';

export const metaTypes = new TypeTable(
  `
strings ConditionStatus DeletionPropagation FieldSelectorOperator LabelSelectorOperator ManagedFieldsOperationType

ObjectMeta : What every object carries.
   1 name                       string : Unique among objects of its kind, in its namespace. Cannot change.
   2 generateName               string : The server adds five characters and takes the text as the name, where no name is given.
   3 namespace                  string : What the name is unique in. Cannot change.
   4 selfLink                   string : No longer set.
   5 uid                        UID : Unique over all objects, past ones too. Set by the server.
   6 resourceVersion            string : Which state of the object this is. Opaque; a write that carries another than the stored one is refused.
   7 generation                 int64 : Counts the changes of what is desired. Set by the server.
   8 creationTimestamp          Time                 omitzero : Set by the server.
   9 deletionTimestamp          *Time : Set by the server when a deletion was asked for; the object goes when its finalizers are gone.
  10 deletionGracePeriodSeconds *int64 : Set by the server with the deletion timestamp.
  11 labels                     map[string]string : Short texts that selectors look at.
  12 annotations                map[string]string : Any texts, for tools and people. Together at most 256 KiB.
  13 ownerReferences            []OwnerReference     map(uid) merge(uid) : The objects that this one belongs to: it is collected when all of them are gone.
  14 finalizers                 []string             set merge : Who has to let go before the object may be removed.
  17 managedFields              []ManagedFieldsEntry atomic : Which client owns which fields.

OwnerReference atomic : An object in the same namespace, or a cluster-scoped one, that owns this one.
   5 apiVersion         string required
   1 kind               string required
   3 name               string required
   4 uid                UID    required
   6 controller         *bool : Whether the owner is the one that manages the object.
   7 blockOwnerDeletion *bool : Whether a foreground deletion of the owner waits for the object.

ManagedFieldsEntry
   1 manager     string
   2 operation   ManagedFieldsOperationType
   3 apiVersion  string
   4 time        *Time
   6 fieldsType  string
   7 fieldsV1    *Json
   8 subresource string

LabelSelector atomic : Chooses objects by their labels. All conditions must hold; an empty selector chooses all, none at all chooses none.
   1 matchLabels      map[string]string
   2 matchExpressions []LabelSelectorRequirement atomic

LabelSelectorRequirement
   1 key      string                required
   2 operator LabelSelectorOperator required
   3 values   []string              atomic

FieldSelectorRequirement
   1 key      string                required
   2 operator FieldSelectorOperator required
   3 values   []string              atomic

Condition : One aspect of the state of an object.
   1 type               string          required
   2 status             ConditionStatus required : True, False or Unknown.
   3 observedGeneration int64 : The generation that the condition was judged on.
   4 lastTransitionTime Time            required
   5 reason             string          required
   6 message            string          required

DeleteOptions : How an object is to be deleted.
   1 gracePeriodSeconds                               *int64
   2 preconditions                                    *Preconditions
   3 orphanDependents                                 *bool
   4 propagationPolicy                                *DeletionPropagation
   5 dryRun                                           []string             atomic
   6 ignoreStoreReadErrorWithClusterBreakingPotential *bool

Preconditions
   1 uid             *UID
   2 resourceVersion *string
`,
);
