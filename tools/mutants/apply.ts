import type { Mutant } from './types.ts';

const source = (subject: string, test: string): Pick<Mutant, 'file' | 'test'> => ({
  file: `packages/apiserver/src/${subject}.ts`,
  test: `packages/apiserver/src/${test}.test.ts`,
});

const observed = (subject: string): Pick<Mutant, 'file' | 'test'> => source(subject, 'apply/observed');
const property = (subject: string): Pick<Mutant, 'file' | 'test'> => source(subject, 'apply/apply');
const patch = (subject: string): Pick<Mutant, 'file' | 'test'> => source(subject, 'patch/observed');
const auth = (subject: string, test = 'auth/authorize'): Pick<Mutant, 'file' | 'test'> => source(subject, test);

/** Server-side apply, strategic merge patches, RBAC. */
export const mutants: Mutant[] = [
  {
    ...property('apply/apply'),
    id: 'apply-never-conflicts',
    find: `if (taken.length > 0 && !force) {`,
    replace: `if (taken.length > 1e9 && !force) {`,
    name: 'conflicts exactly where',
    why: 'an applier takes nothing from others unless it says so',
  },
  {
    ...property('apply/prune'),
    id: 'apply-keeps-what-it-left-out',
    find: `if (last === undefined || isEmptySet(difference(last, applied))) return merged;`,
    replace: `if (last !== undefined || isEmptySet(applied)) return merged;`,
    name: 'takes back exactly',
    why: 'what an applier no longer says goes, when nobody else owns it',
  },
  {
    ...property('apply/prune'),
    id: 'apply-takes-back-what-others-own',
    find: `difference(all, union(bare, owned))`,
    replace: `difference(all, bare)`,
    name: 'takes back exactly',
    why: 'what two appliers said stays until both have let go',
  },
  {
    ...observed('apply/apply'),
    id: 'apply-has-a-time-though-it-changed-nothing',
    find: `const isSame = object === live || deepEqual(live, object, sameValue);`,
    replace: `const isSame = object === live && owners.size < 0;`,
    name: 'ownership alone',
    why: 'who becomes an owner without a change has no time',
  },
  {
    ...observed('apply/ownership'),
    id: 'managed-fields-of-what-never-has-an-owner',
    find: `export const ownable = (fields: FieldSet): FieldSet => difference(fields, ownerless);`,
    replace: `export const ownable = (fields: FieldSet): FieldSet => fields;`,
    why: 'a name or a uid belongs to nobody',
  },
  {
    ...observed('apply/track'),
    id: 'managed-fields-cannot-be-reset',
    find: `if (isJsonArray(sent) && isReset(sent)) return noOwners;`,
    replace: `if (!isJsonArray(sent) || isReset([sent])) return noOwners;`,
    name: 'reset by list of one empty',
    why: 'a client may have managedFields forgotten',
  },
  {
    ...observed('apply/cap-updaters'),
    id: 'updaters-without-end',
    find: `const maxUpdaters = 10;`,
    replace: `const maxUpdaters = 11;`,
    name: 'twelve updaters',
    why: 'ten updaters at most, the oldest ones become one',
  },
  {
    ...observed('apply/fields/items'),
    id: 'list-keys-without-their-defaults',
    find: `return value === undefined ? (items.map?.fields.get(name)?.default ?? undefined) : value;`,
    replace: `return value;`,
    name: 'lists by key',
    why: 'a key that an item leaves out has its default',
  },
  {
    ...observed('apply/fields/merge'),
    id: 'merged-lists-in-the-order-of-the-live-object',
    find: `if (expected !== undefined && expected !== left.element) {`,
    replace: `if (expected === left.element) {`,
    name: 'order of lists by key',
    why: 'an apply decides the order of the items that it names',
  },
  {
    ...observed('apply/fields/merge-type'),
    id: 'plain-lists-merge',
    find: `startsWith('merge')) return { kind: 'atomic', keys: [] };`,
    replace: `startsWith('merge')) return { kind: 'set', keys: [] };`,
    name: 'atomic',
    why: 'a list without a list type is one value',
  },
  {
    ...source('apply/settle', 'apply/settle'),
    id: 'times-alone-are-a-change',
    find: `(isJsonObject(entry) ? { ...entry, time: undefined } : entry)`,
    replace: `entry`,
    name: 'another time',
    why: 'nothing is written for a time',
  },
  {
    ...patch('patch/strategic'),
    id: 'retained-keys-are-not',
    find: `return Object.fromEntries(Object.entries(original).filter(([key]) => keys.has(key)));`,
    replace: `return { ...original };`,
    name: 'only some keys are retained',
    why: 'a union has one member: $retainKeys takes the other away',
  },
  {
    ...patch('patch/element-order'),
    id: 'patched-items-at-the-end',
    find: `if (otherAt === undefined || otherAt >= at) break;`,
    replace: `if (otherAt === undefined) break;`,
    name: 'items are merged by key',
    why: 'items that a patch names keep their place among those that it does not',
  },
  {
    ...auth('auth/policy-rule', 'auth/policy-rule'),
    id: 'rbac-resource-covers-subresources',
    find: `if (subresource === '') return has(resources, resource);`,
    replace: `if (has(resources, resource)) return true;`,
    name: 'the subresource of a resource',
    why: 'the right to write an object is not the right to write its status',
  },
  {
    ...auth('auth/role-index'),
    id: 'rbac-remembers-old-roles',
    find: `return now === list || (now?.length === 0 && list.length === 0);`,
    replace: `return now?.length === list.length;`,
    name: 'looks at roles as they are now',
    why: 'rights end when a role says so',
  },
  {
    ...auth('write/operations/create'),
    id: 'rbac-apply-creates-unasked',
    find: `if (isUnasked) authorizeCreate(`,
    replace: `if (isUnasked && isMerged === null) authorizeCreate(`,
    name: 'asks for the right to create',
    why: 'an apply that creates needs the right to',
  },
  {
    ...auth('auth/escalation'),
    id: 'rbac-escalation-by-names',
    find: `(names.length === 0 || ((single.resourceNames ?? []).length > 0 && all(names, single.resourceNames)))`,
    replace: `names.length >= 0`,
    name: 'has them for the names',
    why: 'nobody gives rights that they do not have',
  },
];
