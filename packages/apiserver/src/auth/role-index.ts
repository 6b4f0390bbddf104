/** Roles and bindings of a plane, as far as they are about one user. */
import { ownValue } from '@lifeline/core';
import { goQuote } from '../go-text.ts';
import type { ResourceId, StoredObject } from '../resources/resource.ts';
import type { Store } from '../storage/store.ts';
import { defaultBindings, defaultClusterRoles } from './default-roles.ts';
import type { PolicyRule } from './policy-rule.ts';
import type { User } from './user.ts';

export interface Grant {
  readonly rule: PolicyRule;
  /** The binding that gives it, as a real server names it. */
  readonly source: string;
}

export interface Rights {
  readonly grants: readonly Grant[];
  /** Roles that bindings of this user name, and that are not there. */
  readonly missing: readonly RoleRef[];
}

export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

export interface RoleRef {
  readonly kind: string;
  readonly name: string;
}

const resources: readonly ResourceId[] = ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'].map(
  (plural) => `${plural}.rbac.authorization.k8s.io`,
);

type Lists = readonly (readonly StoredObject[])[];

const indexes = new WeakMap<Store, RoleIndex>();

/** The index of a store, made anew when one of its roles or bindings has changed. Looking costs nothing else. */
export function roleIndexOf(store: Store): RoleIndex {
  const lists = resources.map((resource) => store.list(resource));
  let index = indexes.get(store);
  if (!index?.isOf(lists)) {
    index = new RoleIndex(lists);
    indexes.set(store, index);
  }
  return index;
}

export class RoleIndex {
  readonly #lists: Lists;
  readonly #roles: ReadonlyMap<string, StoredObject>;
  readonly #clusterRoles: ReadonlyMap<string, StoredObject>;
  readonly #bindings: ReadonlyMap<string, readonly StoredObject[]>;
  readonly #clusterBindings: readonly StoredObject[];
  /** Rights by namespace, `''` for those everywhere. */
  readonly #known = new WeakMap<User, Map<string, Rights>>();

  constructor(lists: Lists) {
    const [roles = [], bindings = [], clusterRoles = [], clusterBindings = []] = lists;
    this.#lists = lists;
    this.#roles = new Map(roles.map((role) => [`${role.metadata.namespace}/${role.metadata.name}`, role]));
    this.#clusterRoles = new Map(clusterRoles.map((role) => [role.metadata.name, role]));
    this.#bindings = Map.groupBy(bindings, ({ metadata }) => metadata.namespace ?? '');
    this.#clusterBindings = clusterBindings;
  }

  /** A list stays the same array until something in it changes. */
  isOf(lists: Lists): boolean {
    return this.#lists.every((list, at) => {
      const now = lists[at];
      return now === list || (now?.length === 0 && list.length === 0);
    });
  }

  /** Those that a user has everywhere, then those in a namespace. @param namespace `''`: none */
  rightsOf(user: User, namespace: string): readonly Rights[] {
    const everywhere = this.#cached(user, '', () => this.#clusterRights(user));
    if (namespace === '') return [everywhere];
    return [everywhere, this.#cached(user, namespace, () => this.#namespaceRights(user, namespace))];
  }

  /** The rules of a role that a binding names; undefined: there is no such role. */
  rulesOf({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    if (kind === 'Role') return rulesIn(this.#roles.get(`${namespace}/${name}`));
    return rulesIn(this.#clusterRoles.get(name)) ?? defaultClusterRoles.get(name);
  }

  #cached(user: User, namespace: string, find: () => Rights): Rights {
    let byNamespace = this.#known.get(user);
    if (!byNamespace) {
      byNamespace = new Map<string, Rights>();
      this.#known.set(user, byNamespace);
    }
    let rights = byNamespace.get(namespace);
    if (!rights) {
      rights = find();
      byNamespace.set(namespace, rights);
    }
    return rights;
  }

  #clusterRights(user: User): Rights {
    const stored = new Set(this.#clusterBindings.map(({ metadata }) => metadata.name));
    const defaults = [...defaultBindings].filter(([name]) => !stored.has(name)).map(defaultBinding);
    return this.#rightsBy([...this.#clusterBindings, ...defaults], user, '');
  }

  #namespaceRights(user: User, namespace: string): Rights {
    return this.#rightsBy(this.#bindings.get(namespace) ?? [], user, namespace);
  }

  #rightsBy(bindings: readonly StoredObject[], user: User, namespace: string): Rights {
    const grants: Grant[] = [];
    const missing: RoleRef[] = [];
    for (const binding of bindings) {
      const subject = subjectsOf(binding).find((candidate) => isMeant(candidate, user, namespace));
      if (!subject) continue;
      const role = roleOf(binding);
      const rules = this.rulesOf(role, namespace);
      if (!rules) {
        missing.push(role);
        continue;
      }
      const source = describe(binding, role, subject);
      for (const rule of rules) grants.push({ rule, source });
    }
    return { grants, missing };
  }
}

const rulesIn = (role: StoredObject | undefined): readonly PolicyRule[] | undefined =>
  role && ((ownValue(role, 'rules') ?? []) as readonly PolicyRule[]);

const subjectsOf = (binding: StoredObject): readonly Subject[] =>
  (ownValue(binding, 'subjects') ?? []) as unknown as readonly Subject[];

const roleOf = (binding: StoredObject): RoleRef => ownValue(binding, 'roleRef') as unknown as RoleRef;

const defaultBinding = ([name, groups]: readonly [name: string, groups: readonly string[]]): StoredObject =>
  ({
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { kind: 'ClusterRole', name },
    subjects: groups.map((group) => ({ kind: 'Group', name: group })),
  }) as unknown as StoredObject;

/** @param namespace of the binding: a service account without one is there */
function isMeant({ kind, name, namespace: own }: Subject, user: User, namespace: string): boolean {
  switch (kind) {
    case 'User':
      return user.name === name;
    case 'Group':
      return user.groups.includes(name);
    case 'ServiceAccount': {
      const home = own || namespace;
      return home !== '' && user.name === `system:serviceaccount:${home}:${name}`;
    }
    default:
      return false;
  }
}

/** A real server names a service account before its namespace, and so a binding. */
function describe({ kind, metadata }: StoredObject, role: RoleRef, subject: Subject): string {
  const { name, namespace } = metadata;
  const home = subject.namespace || (namespace ?? '');
  const who = subject.kind === 'ServiceAccount' ? `${subject.name}/${home}` : subject.name;
  const binding = namespace === undefined ? name : `${name}/${namespace}`;
  return `${kind} ${goQuote(binding)} of ${role.kind} ${goQuote(role.name)} to ${subject.kind} ${goQuote(who)}`;
}
