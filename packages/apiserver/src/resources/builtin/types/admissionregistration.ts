/** `admissionregistration.k8s.io/v1`: policies written in CEL. */
import { metaTypes } from './meta.ts';
import { TypeTable } from './type-table.ts';

export const admissionregistrationTypes = new TypeTable(
  `
strings FailurePolicyType MatchPolicyType OperationType ParameterNotFoundActionType ScopeType StatusReason ValidationAction

ValidatingAdmissionPolicy : Refuses writes that break its rules. Kept here, and not evaluated.
   1 metadata ObjectMeta
   2 spec     ValidatingAdmissionPolicySpec
   3 status   ValidatingAdmissionPolicyStatus

ValidatingAdmissionPolicySpec
   1 paramKind        *ParamKind
   2 matchConstraints *MatchResources
   3 validations      []Validation       atomic : What must hold, in CEL.
   4 failurePolicy    *FailurePolicyType =Fail : Fail or Ignore: what an expression that cannot be evaluated means.
   5 auditAnnotations []AuditAnnotation  atomic
   6 matchConditions  []MatchCondition   map(name) merge(name)
   7 variables        []Variable         map(name) merge(name)

ValidatingAdmissionPolicyStatus
   1 observedGeneration int64
   2 typeChecking       *TypeChecking
   3 conditions         []Condition   map(type)

TypeChecking
   1 expressionWarnings []ExpressionWarning atomic

ExpressionWarning
   2 fieldRef string required
   3 warning  string required

ParamKind atomic
   1 apiVersion string
   2 kind       string

MatchResources atomic
   1 namespaceSelector    *LabelSelector            ={}
   2 objectSelector       *LabelSelector            ={}
   3 resourceRules        []NamedRuleWithOperations atomic
   4 excludeResourceRules []NamedRuleWithOperations atomic
   7 matchPolicy          *MatchPolicyType          =Equivalent

NamedRuleWithOperations atomic
   1 resourceNames []string           atomic
   2 ...           RuleWithOperations

RuleWithOperations
   1 operations []OperationType atomic
   2 ...        Rule

Rule
   1 apiGroups   []string   atomic
   2 apiVersions []string   atomic
   3 resources   []string   atomic
   4 scope       *ScopeType =*

Validation
   1 expression        string        required
   2 message           string
   3 reason            *StatusReason
   4 messageExpression string

AuditAnnotation
   1 key             string required
   2 valueExpression string required

MatchCondition
   1 name       string required
   2 expression string required

Variable atomic
   1 name       string required
   2 expression string required

ValidatingAdmissionPolicyBinding : Makes a policy hold for some objects.
   1 metadata ObjectMeta
   2 spec     ValidatingAdmissionPolicyBindingSpec

ValidatingAdmissionPolicyBindingSpec
   1 policyName        string
   2 paramRef          *ParamRef
   3 matchResources    *MatchResources
   4 validationActions []ValidationAction set : Deny, Warn or Audit.

ParamRef atomic
   1 name                    string
   2 namespace               string
   3 selector                *LabelSelector
   4 parameterNotFoundAction *ParameterNotFoundActionType
`,
  metaTypes,
);
