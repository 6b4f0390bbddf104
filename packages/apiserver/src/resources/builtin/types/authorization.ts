/** `authorization.k8s.io/v1`. */
import { metaTypes } from './meta.ts';
import { TypeTable } from './type-table.ts';

export const authorizationTypes = new TypeTable(
  `
SubjectAccessReview : Asks whether a user may do something.
   1 metadata ObjectMeta
   2 spec     SubjectAccessReviewSpec   required
   3 status   SubjectAccessReviewStatus

LocalSubjectAccessReview : Asks whether a user may do something, in this namespace.
   1 metadata ObjectMeta
   2 spec     SubjectAccessReviewSpec   required
   3 status   SubjectAccessReviewStatus

SubjectAccessReviewSpec
   1 resourceAttributes    *ResourceAttributes
   2 nonResourceAttributes *NonResourceAttributes
   3 user                  string
   4 groups                []string               atomic
   5 extra                 map[string]ExtraValue
   6 uid                   string

SelfSubjectAccessReview : Asks whether whoever asks may do something.
   1 metadata ObjectMeta
   2 spec     SelfSubjectAccessReviewSpec required
   3 status   SubjectAccessReviewStatus

SelfSubjectAccessReviewSpec
   1 resourceAttributes    *ResourceAttributes
   2 nonResourceAttributes *NonResourceAttributes

SubjectAccessReviewStatus
   1 allowed         bool   required
   4 denied          bool
   2 reason          string
   3 evaluationError string

ResourceAttributes
   1 namespace     string
   2 verb          string
   3 group         string
   4 version       string
   5 resource      string
   6 subresource   string
   7 name          string
   8 fieldSelector *FieldSelectorAttributes
   9 labelSelector *LabelSelectorAttributes

FieldSelectorAttributes
   1 rawSelector  string
   2 requirements []FieldSelectorRequirement atomic

LabelSelectorAttributes
   1 rawSelector  string
   2 requirements []LabelSelectorRequirement atomic

NonResourceAttributes
   1 path string
   2 verb string

SelfSubjectRulesReview : Asks what whoever asks may do in a namespace.
   1 metadata ObjectMeta
   2 spec     SelfSubjectRulesReviewSpec required
   3 status   SubjectRulesReviewStatus

SelfSubjectRulesReviewSpec
   1 namespace string

SubjectRulesReviewStatus
   1 resourceRules    []ResourceRule    required atomic
   2 nonResourceRules []NonResourceRule required atomic
   3 incomplete       bool              required
   4 evaluationError  string

ResourceRule
   1 verbs         []string required atomic
   2 apiGroups     []string atomic
   3 resources     []string atomic
   4 resourceNames []string atomic

NonResourceRule
   1 verbs           []string required atomic
   2 nonResourceURLs []string atomic
`,
  metaTypes,
);
