/**
 * Roles and bindings that every plane has without storing them: what the administrators may, and what whoever is known may look at.
 * @see kubernetes/kubernetes@v1.36.3 plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go
 */
import type { PolicyRule } from './policy-rule.ts';

const health = ['/healthz', '/livez', '/readyz', '/version', '/version/'];

/** By name. A stored ClusterRole of the same name counts instead. */
export const defaultClusterRoles: ReadonlyMap<string, readonly PolicyRule[]> = new Map([
  [
    'cluster-admin',
    [
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
    ],
  ],
  [
    'system:basic-user',
    [
      {
        verbs: ['create'],
        apiGroups: ['authorization.k8s.io'],
        resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
      },
      { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
    ],
  ],
  [
    'system:discovery',
    [
      {
        verbs: ['get'],
        nonResourceURLs: [
          '/api',
          '/api/*',
          '/apis',
          '/apis/*',
          '/healthz',
          '/livez',
          '/openapi',
          '/openapi/*',
          ...health.slice(2),
        ],
      },
    ],
  ],
  ['system:public-info-viewer', [{ verbs: ['get'], nonResourceURLs: health }]],
]);

/** The name of a ClusterRole, and the groups that have it by a ClusterRoleBinding of the same name. */
export const defaultBindings: ReadonlyMap<string, readonly string[]> = new Map([
  ['cluster-admin', ['system:masters']],
  ['system:basic-user', ['system:authenticated']],
  ['system:discovery', ['system:authenticated']],
  ['system:public-info-viewer', ['system:authenticated', 'system:unauthenticated']],
]);
