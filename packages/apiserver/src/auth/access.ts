/** Whether a user may do something: what authorization and the access reviews ask. */
import type { JsonObject } from '@lifeline/core';
import type { Server } from '../server-parts.ts';
import type { User } from './user.ts';

export type AccessAttributes =
  | {
      readonly verb: string;
      readonly group: string;
      readonly version: string;
      /** Plural. */
      readonly resource: string;
      readonly subresource: string;
      /** `''`: of all namespaces, or cluster-scoped. */
      readonly namespace: string;
      /** `''`: not about one object. */
      readonly name: string;
    }
  | { readonly verb: string; readonly path: string };

export interface AccessDecision {
  readonly allowed: boolean;
  readonly reason: string;
}

/** `status` of a SelfSubjectRulesReview. */
export interface AccessRules {
  readonly resourceRules: readonly JsonObject[];
  readonly nonResourceRules: readonly JsonObject[];
  readonly incomplete: boolean;
}

export const decideAccess = (_server: Server, _user: User, _attributes: AccessAttributes): AccessDecision => ({
  allowed: true,
  reason: '',
});

/** What a user may do in a namespace. */
export const accessRules = (_server: Server, _user: User, _namespace: string): AccessRules => ({
  resourceRules: [],
  nonResourceRules: [],
  incomplete: false,
});
