/** The least rights that controllers need of an API server. */
import { KubeEvent, type Kind, type PolicyRule } from '@lifeline/core';
import type { Controller, WriteRight } from './define-controller.ts';
import { parseFieldPath } from './field-path.ts';

/** What a controller declares of its reads and writes. */
export type Rights = Pick<Controller, 'watches' | 'reads' | 'writes' | 'events'>;

/** What an app keeps a cache of, and never reads but there: to list, and to watch. */
export const cacheRules = (kinds: readonly Kind[]): PolicyRule[] =>
  rulesOf(kinds.flatMap((kind) => on(kind, 'list', 'watch')));

interface Grant {
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
}

/**
 * The rules of a Role or ClusterRole for one plane.
 *
 * Guarantees: every read, write and Event that the controllers declare is allowed there, and nothing else; the same controllers in any
 * order give the same rules. Resources of one group with the same verbs share a rule.
 */
export function rbacRules(plane: string, controllers: readonly Rights[]): PolicyRule[] {
  const grants = controllers.flatMap(({ watches, reads, writes, events }) => [
    ...watches
      .filter(({ provider }) => provider.plane === plane)
      .flatMap(({ kind }) => on(kind, 'get', 'list', 'watch')),
    ...reads
      .filter((right) => right.plane === plane)
      .flatMap(({ kind, verbs = ['get', 'list'] }) => on(kind, ...verbs)),
    ...(events.includes(plane) ? on(KubeEvent, 'create', 'patch') : []),
    ...writes.filter((right) => right.plane === plane).flatMap(writeGrants),
  ]);
  return rulesOf(grants);
}

function rulesOf(grants: readonly Grant[]): PolicyRule[] {
  const targets = Map.groupBy(grants, ({ group, resource }) => `${group}/${resource}`).values();
  const single = Array.from(targets, (all) => ({ ...(all[0] as Grant), verbs: sorted(all.map(({ verb }) => verb)) }));
  const shared = Map.groupBy(single, ({ group, verbs }) => `${group}/${verbs.join()}`).values();
  return Array.from(shared, (all) => {
    const { group, verbs } = all[0] as (typeof all)[number];
    return { apiGroups: [group], resources: sorted(all.map(({ resource }) => resource)), verbs };
  }).toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

const sorted = (names: readonly string[]): string[] => [...new Set(names)].sort();

const sortKey = ({ apiGroups, resources }: PolicyRule): string => `${apiGroups?.join()} ${resources?.join()}`;

const on = ({ group, plural }: Kind, ...verbs: readonly string[]): Grant[] =>
  verbs.map((verb) => ({ group, resource: plural, verb }));

function writeGrants({ kind, verbs, fields, reads }: WriteRight): Grant[] {
  const paths = fields.map((field) => parseFieldPath(field) ?? []);
  const isStatus = (root: string | undefined): boolean => kind.statusSubresource && root === 'status';
  const main = paths.some(([root]) => !isStatus(root));
  const status = kind.statusSubresource && paths.some(([root]) => root === undefined || isStatus(root));
  const statusPatch = status ? [{ group: kind.group, resource: `${kind.plural}/status`, verb: 'patch' }] : [];
  return [
    ...verbs.flatMap((verb) => {
      switch (verb) {
        case 'create':
        case 'delete':
          return on(kind, verb);
        case 'patch':
          return [...(main ? on(kind, 'patch') : []), ...statusPatch];
        case 'apply':
          // An apply of what is absent creates it; through the status subresource it does not.
          return [...(main ? on(kind, 'create', 'patch') : []), ...statusPatch];
      }
    }),
    ...(reads ? on(kind, 'get', 'list') : []),
  ];
}
