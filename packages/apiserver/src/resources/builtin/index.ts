import type { Resource } from '../resource.ts';
import {
  localSubjectAccessReviews,
  selfSubjectAccessReviews,
  selfSubjectReviews,
  selfSubjectRulesReviews,
  subjectAccessReviews,
} from './access-review.ts';
import { validatingAdmissionPolicies, validatingAdmissionPolicyBindings } from './admission-policy.ts';
import { configMaps } from './config-map.ts';
import { customResourceDefinitions } from './custom-resource-definition.ts';
import { deployments } from './deployment/deployment.ts';
import { endpointSlices } from './endpoint-slice.ts';
import { events, publicEvents } from './event.ts';
import { leases } from './lease.ts';
import { namespaces } from './namespace.ts';
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from './rbac.ts';
import { secrets } from './secret.ts';
import { serviceAccounts } from './service-account.ts';
import { services } from './service/service.ts';

/** Every built-in resource. Frozen, and shared by all servers. */
export const builtinResources: readonly Resource[] = Object.freeze([
  configMaps,
  events,
  namespaces,
  secrets,
  serviceAccounts,
  services,
  publicEvents,
  selfSubjectReviews,
  localSubjectAccessReviews,
  selfSubjectAccessReviews,
  selfSubjectRulesReviews,
  subjectAccessReviews,
  deployments,
  clusterRoleBindings,
  clusterRoles,
  roleBindings,
  roles,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  customResourceDefinitions,
  leases,
  endpointSlices,
]);
