/** `rbac.authorization.k8s.io/v1`. */
import { metaTypes } from './meta.ts';
import { TypeTable } from './type-table.ts';

export const rbacTypes = new TypeTable(
  `
Role : Rights in one namespace.
   1 metadata ObjectMeta
   2 rules    []PolicyRule always atomic

ClusterRole : Rights in all namespaces, and to what is in none.
   1 metadata        ObjectMeta
   2 rules           []PolicyRule     always atomic
   3 aggregationRule *AggregationRule

PolicyRule : Allows each verb on each resource or URL. "*" means all.
   1 verbs           []string required atomic
   2 apiGroups       []string atomic
   3 resources       []string atomic
   4 resourceNames   []string atomic : The only objects it is about. None: all.
   5 nonResourceURLs []string atomic

AggregationRule : The rules are those of all ClusterRoles chosen here.
   1 clusterRoleSelectors []LabelSelector atomic

RoleBinding : Gives subjects the rights of a role, in one namespace.
   1 metadata ObjectMeta
   2 subjects []Subject  atomic
   3 roleRef  RoleRef    required

ClusterRoleBinding : Gives subjects the rights of a role, everywhere.
   1 metadata ObjectMeta
   2 subjects []Subject  atomic
   3 roleRef  RoleRef    required

Subject atomic
   1 kind      string required
   2 apiGroup  string
   3 name      string required
   4 namespace string

RoleRef atomic : The role. Cannot change.
   1 apiGroup string always
   2 kind     string required
   3 name     string required
`,
  metaTypes,
);
