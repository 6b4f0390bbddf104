/** `apiextensions.k8s.io/v1`. */
import { metaTypes } from './meta.ts';
import { TypeTable } from './type-table.ts';

export const apiextensionsTypes = new TypeTable(
  `
strings ConditionStatus ConversionStrategyType CustomResourceDefinitionConditionType FieldValueErrorReason JSONSchemaURL ResourceScope

CustomResourceDefinition : A resource that the server is taught.
   1 metadata ObjectMeta
   2 spec     CustomResourceDefinitionSpec   required
   3 status   CustomResourceDefinitionStatus

CustomResourceDefinitionSpec
   1 group                 string                            required
   3 names                 CustomResourceDefinitionNames     required
   4 scope                 ResourceScope                     required
   7 versions              []CustomResourceDefinitionVersion required atomic
   9 conversion            *CustomResourceConversion
  10 preserveUnknownFields bool

CustomResourceDefinitionNames
   1 plural     string   required
   2 singular   string
   3 shortNames []string atomic
   4 kind       string   required
   5 listKind   string
   6 categories []string atomic

CustomResourceDefinitionVersion
   1 name                     string                           required
   2 served                   bool                             required
   3 storage                  bool                             required
   7 deprecated               bool
   8 deprecationWarning       *string
   4 schema                   *CustomResourceValidation
   5 subresources             *CustomResourceSubresources
   6 additionalPrinterColumns []CustomResourceColumnDefinition atomic
   9 selectableFields         []SelectableField                atomic

CustomResourceValidation
   1 openAPIV3Schema *JSONSchemaProps

CustomResourceSubresources
   1 status *CustomResourceSubresourceStatus
   2 scale  *CustomResourceSubresourceScale

CustomResourceSubresourceStatus

CustomResourceSubresourceScale
   1 specReplicasPath   string  required
   2 statusReplicasPath string  required
   3 labelSelectorPath  *string

CustomResourceColumnDefinition
   1 name        string required
   2 type        string required
   3 format      string
   4 description string
   5 priority    int32
   6 jsonPath    string required

SelectableField
   1 jsonPath string required

CustomResourceConversion
   1 strategy ConversionStrategyType required
   2 webhook  *WebhookConversion

WebhookConversion
   2 clientConfig             *WebhookClientConfig
   3 conversionReviewVersions []string             required atomic

WebhookClientConfig
   3 url      *string
   1 service  *ServiceReference
   2 caBundle bytes

ServiceReference
   1 namespace string  required
   2 name      string  required
   3 path      *string
   4 port      *int32

CustomResourceDefinitionStatus
   1 conditions         []CustomResourceDefinitionCondition always map(type)
   2 acceptedNames      CustomResourceDefinitionNames       always
   3 storedVersions     []string                            always atomic
   4 observedGeneration int64

CustomResourceDefinitionCondition
   1 type               CustomResourceDefinitionConditionType required
   2 status             ConditionStatus                       required
   3 lastTransitionTime Time
   4 reason             string
   5 message            string
   6 observedGeneration int64

JSONSchemaProps
   1 id                                   string
   2 $schema                              JSONSchemaURL
   3 $ref                                 *string
   4 description                          string
   5 type                                 string
   6 format                               string
   7 title                                string
   8 default                              *Json
   9 maximum                              *float64
  10 exclusiveMaximum                     bool
  11 minimum                              *float64
  12 exclusiveMinimum                     bool
  13 maxLength                            *int64
  14 minLength                            *int64
  15 pattern                              string
  16 maxItems                             *int64
  17 minItems                             *int64
  18 uniqueItems                          bool
  19 multipleOf                           *float64
  20 enum                                 []Json                                  atomic
  21 maxProperties                        *int64
  22 minProperties                        *int64
  23 required                             []string                                atomic
  24 items                                *JSONSchemaPropsOrArray
  25 allOf                                []JSONSchemaProps                       atomic
  26 oneOf                                []JSONSchemaProps                       atomic
  27 anyOf                                []JSONSchemaProps                       atomic
  28 not                                  *JSONSchemaProps
  29 properties                           map[string]JSONSchemaProps
  30 additionalProperties                 *JSONSchemaPropsOrBool
  31 patternProperties                    map[string]JSONSchemaProps
  32 dependencies                         map[string]JSONSchemaPropsOrStringArray
  33 additionalItems                      *JSONSchemaPropsOrBool
  34 definitions                          map[string]JSONSchemaProps
  35 externalDocs                         *ExternalDocumentation
  36 example                              *Json
  37 nullable                             bool
  38 x-kubernetes-preserve-unknown-fields *bool
  39 x-kubernetes-embedded-resource       bool
  40 x-kubernetes-int-or-string           bool
  41 x-kubernetes-list-map-keys           []string                                atomic
  42 x-kubernetes-list-type               *string
  43 x-kubernetes-map-type                *string
  44 x-kubernetes-validations             []ValidationRule                        map(rule) merge(rule)

JSONSchemaPropsOrArray either
   1 schema      *JSONSchemaProps
   2 jSONSchemas []JSONSchemaProps

JSONSchemaPropsOrBool either
   1 allows bool
   2 schema *JSONSchemaProps

JSONSchemaPropsOrStringArray either
   1 schema   *JSONSchemaProps
   2 property []string

ValidationRule
   1 rule              string                 required
   2 message           string
   3 messageExpression string
   4 reason            *FieldValueErrorReason
   5 fieldPath         string
   6 optionalOldSelf   *bool

ExternalDocumentation
   1 description string
   2 url         string
`,
  metaTypes,
);
