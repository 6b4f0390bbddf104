/** The least rights that controllers need of an API server. */
import type { Kind, PolicyRule } from '@lifeline/core';
import type { Controller, WriteRight } from './define-controller.ts';
import { parseFieldPath } from './field-path.ts';

interface Grant {
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
}

/**
 * The rules of a Role or ClusterRole for one plane.
 *
 * Guarantees: every read and write that the controllers declare is allowed there, and nothing else; the same controllers in any order
 * give the same rules. Resources of one group with the same verbs share a rule.
 */
export function rbacRules(plane: string, controllers: readonly Controller[]): PolicyRule[] {
  const grants = controllers.flatMap(({ watches, writes }) => [
    ...watches.filter(({ provider }) => provider.plane === plane).flatMap(({ kind }) => readGrants(kind)),
    ...writes.filter((right) => right.plane === plane).flatMap(writeGrants),
  ]);
  const verbsOf = groupBy(
    grants,
    ({ group, resource }) => JSON.stringify([group, resource]),
    ({ verb }) => verb,
  );
  const rules = groupBy(
    [...verbsOf],
    ([target, verbs]) => JSON.stringify([(JSON.parse(target) as string[])[0], verbs.toSorted()]),
    ([target]) => (JSON.parse(target) as [string, string])[1],
  );
  return [...rules]
    .map(([key, resources]) => {
      const [group, verbs] = JSON.parse(key) as [string, string[]];
      return { apiGroups: [group], resources: resources.toSorted(), verbs };
    })
    .toSorted((a, b) =>
      JSON.stringify([a.apiGroups, a.resources]) < JSON.stringify([b.apiGroups, b.resources]) ? -1 : 1,
    );
}

const readGrants = ({ group, plural }: Kind): Grant[] =>
  ['get', 'list', 'watch'].map((verb) => ({ group, resource: plural, verb }));

function writeGrants({ kind, verbs, fields, reads }: WriteRight): Grant[] {
  const { group, plural } = kind;
  const paths = fields.map((field) => parseFieldPath(field) ?? []);
  const isStatus = (root: string | undefined): boolean => kind.statusSubresource && root === 'status';
  const main = paths.some(([root]) => !isStatus(root));
  const status = kind.statusSubresource && paths.some(([root]) => root === undefined || isStatus(root));
  const on = (resource: string, wanted: boolean, ...given: string[]): Grant[] =>
    wanted ? given.map((verb) => ({ group, resource, verb })) : [];
  return [
    ...verbs.flatMap((verb) => {
      switch (verb) {
        case 'create':
        case 'delete':
          return on(plural, true, verb);
        case 'patch':
          return [...on(plural, main, 'patch'), ...on(`${plural}/status`, status, 'patch')];
        case 'apply':
          // An apply of what is absent creates it; through the status subresource it does not.
          return [...on(plural, main, 'create', 'patch'), ...on(`${plural}/status`, status, 'patch')];
      }
    }),
    ...on(plural, reads === true, 'get', 'list'),
  ];
}

/** Distinct values by key, both in order of first appearance. */
function groupBy<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  valueOf: (item: T) => string,
): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const item of items) {
    const values = groups.get(keyOf(item)) ?? [];
    if (!values.includes(valueOf(item))) values.push(valueOf(item));
    groups.set(keyOf(item), values);
  }
  return groups;
}
