/** Questions to the server that are answered and not stored: who am I, and what may I do? */
import { isJsonObject, type JsonObject, type JsonValue } from '@lifeline/core';
import { badRequest, type Cause, invalid } from '../../api-error.ts';
import { type AccessAttributes, accessRules, decideAccess } from '../../auth/access.ts';
import type { User } from '../../auth/user.ts';
import { invalidValue } from '../../field-error.ts';
import { type Resource, type StoredObject, type StrategyContext, withFields } from '../resource.ts';
import { builtinResource, type BuiltinSpec } from './builtin-resource.ts';
import { authenticationTypes } from './types/authentication.ts';
import { authorizationTypes } from './types/authorization.ts';

type Review = (object: StoredObject, context: StrategyContext) => StoredObject;

const group = 'authorization.k8s.io';

const reviewResource = (spec: Pick<BuiltinSpec, 'kind' | 'plural'> & Partial<BuiltinSpec>, review: Review): Resource =>
  builtinResource({
    group,
    types: authorizationTypes,
    namespaced: false,
    verbs: ['create'],
    strategy: { review },
    ...spec,
  });

interface Spec extends JsonObject {
  readonly resourceAttributes?: Readonly<Record<string, string>>;
  readonly nonResourceAttributes?: Readonly<Record<string, string>>;
  readonly user?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
}

const specOf = (review: StoredObject): Spec => (isJsonObject(review['spec']) ? review['spec'] : {});

export const selfSubjectAccessReviews: Resource = reviewResource(
  { kind: 'SelfSubjectAccessReview', plural: 'selfsubjectaccessreviews' },
  (review, context) => {
    refuse([...attributeFlaws(specOf(review)), ...metadataFlaws(review)]);
    return decided(review, context.user, context);
  },
);

export const subjectAccessReviews: Resource = reviewResource(
  { kind: 'SubjectAccessReview', plural: 'subjectaccessreviews' },
  (review, context) => {
    refuse([...attributeFlaws(specOf(review)), ...userFlaws(specOf(review)), ...metadataFlaws(review)]);
    return decided(review, userOf(specOf(review)), context);
  },
);

export const localSubjectAccessReviews: Resource = reviewResource(
  { kind: 'LocalSubjectAccessReview', plural: 'localsubjectaccessreviews', namespaced: true },
  (review, context) => {
    const spec = specOf(review);
    refuse([...attributeFlaws(spec), ...userFlaws(spec), ...localFlaws(spec, review.metadata.namespace)]);
    return decided(review, userOf(spec), context);
  },
);

export const selfSubjectRulesReviews: Resource = reviewResource(
  { kind: 'SelfSubjectRulesReview', plural: 'selfsubjectrulesreviews' },
  (review, { server, user }) => {
    const { namespace } = specOf(review);
    if (typeof namespace !== 'string' || namespace === '') throw badRequest('no namespace on request');
    const { resourceRules, nonResourceRules, incomplete } = accessRules(server, user, namespace);
    return withFields(review, { spec: {}, status: { resourceRules, nonResourceRules, incomplete } });
  },
);

export const selfSubjectReviews: Resource = reviewResource(
  {
    group: 'authentication.k8s.io',
    kind: 'SelfSubjectReview',
    plural: 'selfsubjectreviews',
    types: authenticationTypes,
  },
  (review, { user: { name, uid, groups }, now }) =>
    withFields(review, {
      metadata: { creationTimestamp: now },
      status: { userInfo: { username: name, ...(uid === undefined ? {} : { uid }), groups } },
    }),
);

function decided(review: StoredObject, user: User, { server }: StrategyContext): StoredObject {
  const { allowed, reason } = decideAccess(server, user, attributesOf(specOf(review)));
  return withFields(review, { status: { allowed, ...(reason === '' ? {} : { reason }) } });
}

function attributesOf({ resourceAttributes, nonResourceAttributes }: Spec): AccessAttributes {
  if (nonResourceAttributes)
    return { verb: nonResourceAttributes['verb'] ?? '', path: nonResourceAttributes['path'] ?? '' };
  const at = (name: string): string => resourceAttributes?.[name] ?? '';
  return {
    verb: at('verb'),
    group: at('group'),
    version: at('version'),
    resource: at('resource'),
    subresource: at('subresource'),
    namespace: at('namespace'),
    name: at('name'),
  };
}

const userOf = ({ user = '', uid, groups = [] }: Spec): User => ({ name: user, uid, groups });

function attributeFlaws({ resourceAttributes, nonResourceAttributes }: Spec): readonly Cause[] {
  const path = 'spec.nonResourceAttributes';
  if (resourceAttributes && nonResourceAttributes) {
    return [
      invalidValue(path, asGo(nonResourceAttributes), 'cannot be specified in combination with resourceAttributes'),
    ];
  }
  if (resourceAttributes || nonResourceAttributes) return [];
  const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [invalidValue('spec.resourceAttributes', null, detail)];
}

/** As Go prints the struct. */
const asGo = ({ path = '', verb = '' }: Readonly<Record<string, string>>): JsonValue => ({ Path: path, Verb: verb });

const userFlaws = ({ user, groups }: Spec): readonly Cause[] =>
  user || groups ? [] : [invalidValue('spec.user', '', 'at least one of user or group must be specified')];

function metadataFlaws({ metadata }: StoredObject): readonly Cause[] {
  const { managedFields: _, ...rest } = metadata;
  return Object.keys(rest).length === 0 ? [] : [invalidValue('metadata', rest as JsonObject, 'must be empty')];
}

function localFlaws(spec: Spec, namespace = ''): readonly Cause[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const asked = resourceAttributes?.['namespace'] ?? '';
  return [
    ...(resourceAttributes && asked !== namespace
      ? [invalidValue('spec.resourceAttributes.namespace', asked, 'must match metadata.namespace')]
      : []),
    ...(nonResourceAttributes
      ? [invalidValue('spec.nonResourceAttributes', asGo(nonResourceAttributes), 'disallowed on this kind of request')]
      : []),
  ];
}

/** A real server does not name the kind here. @throws ApiError 422 */
function refuse(causes: readonly Cause[]): void {
  if (causes.length > 0) throw invalid({ resource: { group, plural: '', kind: '' } }, causes);
}
