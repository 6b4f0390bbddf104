import type { MessageType } from '../../schema/message-type.ts';
import { admissionregistrationTypes } from './types/admissionregistration.ts';
import { apiextensionsTypes } from './types/apiextensions.ts';
import { appsTypes } from './types/apps.ts';
import { authenticationTypes } from './types/authentication.ts';
import { authorizationTypes } from './types/authorization.ts';
import { coordinationTypes } from './types/coordination.ts';
import { coreTypes } from './types/core.ts';
import { discoveryTypes } from './types/discovery.ts';
import { eventTypes } from './types/events.ts';
import { metaTypes } from './types/meta.ts';
import { rbacTypes } from './types/rbac.ts';
import type { TypeTable } from './types/type-table.ts';

/** The types of a group and version. Their kinds are those with metadata. */
const tables: ReadonlyMap<string, TypeTable> = new Map([
  ['v1', coreTypes],
  ['admissionregistration.k8s.io/v1', admissionregistrationTypes],
  ['apiextensions.k8s.io/v1', apiextensionsTypes],
  ['apps/v1', appsTypes],
  ['authentication.k8s.io/v1', authenticationTypes],
  ['authorization.k8s.io/v1', authorizationTypes],
  ['coordination.k8s.io/v1', coordinationTypes],
  ['discovery.k8s.io/v1', discoveryTypes],
  ['events.k8s.io/v1', eventTypes],
  ['rbac.authorization.k8s.io/v1', rbacTypes],
]);

/** The type of a built-in kind, or of DeleteOptions, which every group has. */
export function builtinType(apiVersion: string, kind: string): MessageType | undefined {
  const table = tables.get(apiVersion);
  if (kind === 'DeleteOptions' && (table || apiVersion === 'meta.k8s.io/v1')) return metaTypes.get(kind);
  const type = table?.names.includes(kind) ? table.get(kind) : undefined;
  return type?.fields.has('metadata') ? type : undefined;
}
