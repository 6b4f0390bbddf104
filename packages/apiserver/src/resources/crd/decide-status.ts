/** What the status of a CustomResourceDefinition says next. */
import { deepEqual } from '@lifeline/core';
import { goAggregate } from '../../go-text.ts';
import { approvalCondition } from './approval.ts';
import { withCondition } from './conditions.ts';
import { type Definition, type DefinitionCondition, isTrue, type Names } from './definition.ts';

export interface Seen {
  /** The other definitions of the group. */
  readonly others: () => readonly Definition[];
  /** RFC 3339, whole seconds. */
  readonly now: string;
}

/** The names that the others of a group have been granted. */
interface Taken {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/**
 * The definition after the next single write to its status: its names first, then that it is established. Undefined: there is nothing to
 * say.
 * @see kubernetes/apiextensions-apiserver@v0.36.3 pkg/controller/status/naming_controller.go, pkg/controller/establish
 */
export function decideStatus(definition: Definition, seen: Seen): Definition | undefined {
  const judged = withNames(definition, seen);
  if (judged !== definition) return judged;
  if (!isTrue(definition, 'NamesAccepted') || isTrue(definition, 'Established')) return undefined;
  return withCondition(definition, established, seen.now);
}

const established: DefinitionCondition = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
};

function withNames(definition: Definition, { others, now }: Seen): Definition {
  const { names } = definition.spec;
  const approval = approvalCondition(definition);
  const approved = approval ? withCondition(definition, approval, now) : definition;
  const accepted = definition.status?.acceptedNames ?? { plural: '', kind: '' };
  if (names === accepted || deepEqual(names, accepted)) return approved;
  const { granted, conflict } = grant(names, accepted, takenBy(others()));
  const named = deepEqual(granted, accepted)
    ? approved
    : { ...approved, status: { ...approved.status, acceptedNames: granted } };
  if (conflict) {
    const { reason, message } = conflict;
    const refused = withCondition(named, { type: 'NamesAccepted', status: 'False', reason, message }, now);
    return isKnown(refused, 'Established') ? refused : withCondition(refused, notEstablished, now);
  }
  const taken = withCondition(named, allNamesGranted, now);
  return isTrue(taken, 'Established') ? taken : withCondition(taken, installing, now);
}

const isKnown = ({ status }: Definition, type: string): boolean =>
  status?.conditions?.some((condition) => condition.type === type) ?? false;

const allNamesGranted: DefinitionCondition = {
  type: 'NamesAccepted',
  status: 'True',
  reason: 'NoConflicts',
  message: 'no conflicts found',
};

const installing: DefinitionCondition = {
  type: 'Established',
  status: 'False',
  reason: 'Installing',
  message: 'the initial names have been accepted',
};

const notEstablished: DefinitionCondition = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
};

function takenBy(others: readonly Definition[]): Taken {
  const names = others.flatMap(({ status }) => (status?.acceptedNames ? [status.acceptedNames] : []));
  const given = (texts: readonly (string | undefined)[]): ReadonlySet<string> =>
    new Set(texts.filter((text): text is string => Boolean(text)));
  return {
    resources: given(names.flatMap(({ plural, singular, shortNames = [] }) => [plural, singular, ...shortNames])),
    kinds: given(names.flatMap(({ kind, listKind }) => [kind, listKind])),
  };
}

interface Granted {
  readonly granted: Names;
  /** Of the last name that somebody else has. */
  readonly conflict: { readonly reason: string; readonly message: string } | undefined;
}

function grant(wanted: Names, accepted: Names, { resources, kinds }: Taken): Granted {
  let conflict: Granted['conflict'];
  const inUse = (name: string): string => `"${name}" is already in use`;
  const one = (
    field: 'plural' | 'singular' | 'kind' | 'listKind',
    taken: ReadonlySet<string>,
    reason: string,
  ): string => {
    const name = wanted[field] ?? '';
    if (name === accepted[field] || !taken.has(name)) return name;
    conflict = { reason, message: inUse(name) };
    return accepted[field] ?? '';
  };
  const plural = one('plural', resources, 'PluralConflict');
  const singular = one('singular', resources, 'SingularConflict');
  const refused = (wanted.shortNames ?? []).filter(
    (name) => !accepted.shortNames?.includes(name) && resources.has(name),
  );
  if (refused.length > 0) {
    conflict = { reason: 'ShortNamesConflict', message: goAggregate(refused.map(inUse)) };
  }
  const shortNames = refused.length > 0 ? accepted.shortNames : wanted.shortNames;
  const kind = one('kind', kinds, 'KindConflict');
  const listKind = one('listKind', kinds, 'ListKindConflict');
  const { categories } = wanted;
  if (!conflict) return { granted: wanted, conflict };
  return {
    granted: {
      plural,
      ...(singular ? { singular } : {}),
      ...(shortNames ? { shortNames } : {}),
      kind,
      ...(listKind ? { listKind } : {}),
      ...(categories ? { categories } : {}),
    },
    conflict,
  };
}
