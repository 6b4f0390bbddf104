/** Rights: what may be done (roles), and by whom (bindings). */
import { z } from 'zod';
import { ageColumn } from '../columns.ts';
import { defineKind } from '../kind.ts';
import { fields, kubeObject } from '../schema.ts';
import { labelSelectorSchema } from '../../meta/selector.ts';

const names = z.array(z.string());

const policyRule = fields({
  verbs: names.nullish(),
  apiGroups: names.nullish(),
  resources: names.nullish(),
  resourceNames: names.nullish(),
  nonResourceURLs: names.nullish(),
});
export type PolicyRule = z.infer<typeof policyRule>;

const rules = z.array(policyRule).nullish();

/** What a binding binds. Never changes. */
const roleRef = fields({ apiGroup: z.string().nullish(), kind: z.string(), name: z.string() });

const subjects = z
  .array(
    fields({
      kind: z.string(),
      apiGroup: z.string().nullish(),
      name: z.string(),
      namespace: z.string().nullish(),
    }),
  )
  .nullish();

const roleSchema = kubeObject({ rules });
const clusterRoleSchema = kubeObject({
  rules,
  aggregationRule: fields({ clusterRoleSelectors: z.array(labelSelectorSchema).nullish() }).nullish(),
});
const bindingSchema = kubeObject({ roleRef, subjects });

const common = { group: 'rbac.authorization.k8s.io', version: 'v1', statusSubresource: false } as const;
const bindingColumns = [{ name: 'Role', type: 'string', jsonPath: '.roleRef.name' }, ageColumn] as const;

/** Rights in one namespace. */
export type Role = z.infer<typeof roleSchema>;
export const Role = defineKind<Role>({
  ...common,
  kind: 'Role',
  plural: 'roles',
  scope: 'Namespaced',
  printerColumns: [ageColumn],
  schema: roleSchema,
});

/** Rights everywhere, or wherever a RoleBinding names it. */
export type ClusterRole = z.infer<typeof clusterRoleSchema>;
export const ClusterRole = defineKind<ClusterRole>({
  ...common,
  kind: 'ClusterRole',
  plural: 'clusterroles',
  scope: 'Cluster',
  printerColumns: [ageColumn],
  schema: clusterRoleSchema,
});

/** Who has a role's rights in one namespace. */
export type RoleBinding = z.infer<typeof bindingSchema>;
export const RoleBinding = defineKind<RoleBinding>({
  ...common,
  kind: 'RoleBinding',
  plural: 'rolebindings',
  scope: 'Namespaced',
  printerColumns: bindingColumns,
  schema: bindingSchema,
});

/** Who has a ClusterRole's rights everywhere. */
export type ClusterRoleBinding = z.infer<typeof bindingSchema>;
export const ClusterRoleBinding = defineKind<ClusterRoleBinding>({
  ...common,
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  scope: 'Cluster',
  printerColumns: bindingColumns,
  schema: bindingSchema,
});
