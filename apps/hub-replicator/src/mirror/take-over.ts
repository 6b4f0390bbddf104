/**
 * Takes fields that are ours off other managers, so that what we stop applying goes away.
 *
 * Server-side apply removes a field only when its applier owned it and nobody else does. A predecessor that wrote whole objects (`Update`)
 * owns every field it ever set: they would stay for ever. So their ownership of our paths is moved into our own entry, and the next apply
 * decides over all of it.
 */
import {
  fieldManagers,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonPatch,
  type JsonValue,
  type KubeObject,
  ownValue,
  parseJson,
  sameValue,
  setOwn,
  testResourceVersion,
  testUid,
} from '@lifeline/core';
import { bodyFields } from './desired.ts';
import type { OwnedKeys } from './owned.ts';

export interface TakeOver {
  /** Moves the ownership; undefined when no other manager owns anything of ours. Passes only while nobody writes the object. */
  readonly patch: JsonPatch | undefined;
  /** Whether we then own something that is not in the wanted object: an apply takes it away. */
  readonly removes: boolean;
}

type Tree = JsonObject;

/**
 * @param live as the server holds it, managedFields included
 * @param wanted the object that will be applied
 */
export function takeOver(live: KubeObject, wanted: JsonObject, owned: OwnedKeys): TakeOver {
  const entries = (live.metadata.managedFields ?? []) as readonly JsonObject[];
  const isOurs = (entry: JsonObject): boolean =>
    entry['manager'] === fieldManagers.hubReplicator && entry['operation'] === 'Apply' && !entry['subresource'];
  const ours = entries.find(isOurs);
  let claimed: Tree = treeOf(ours);
  let taken = false;
  const others = entries.flatMap((entry): readonly JsonObject[] => {
    if (entry === ours || entry['subresource']) return entry === ours ? [] : [entry];
    const [mine, rest] = split(treeOf(entry), owned);
    if (isEmpty(mine)) return [entry];
    taken = true;
    claimed = union(claimed, mine);
    return isEmpty(rest) ? [] : [{ ...entry, fieldsV1: rest }];
  });
  const entry = {
    apiVersion: live.apiVersion,
    fieldsType: 'FieldsV1',
    ...ours,
    manager: fieldManagers.hubReplicator,
    operation: 'Apply',
    fieldsV1: claimed,
  };
  return {
    patch: taken
      ? [
          testUid(live),
          testResourceVersion(live),
          { op: 'replace', path: '/metadata/managedFields', value: [...others, entry] },
        ]
      : undefined,
    removes: !isIn(claimed, wanted),
  };
}

const treeOf = (entry: JsonObject | undefined): Tree => {
  const fields = entry?.['fieldsV1'];
  return isJsonObject(fields) ? fields : {};
};

const isEmpty = (tree: Tree): boolean => Object.keys(tree).length === 0;

/** What is ours of a manager's fields, and the rest. */
function split(tree: Tree, owned: OwnedKeys): readonly [mine: Tree, rest: Tree] {
  const [body, others] = pick(tree, (step) => bodyFields.some((field) => step === `f:${field}`));
  const metadata = member(others, 'f:metadata');
  const [labels, otherLabels] = pick(member(metadata, 'f:labels'), isKeyOf(owned.labels));
  const [annotations, otherAnnotations] = pick(member(metadata, 'f:annotations'), isKeyOf(owned.annotations));
  const mineMeta = compact({ 'f:labels': labels, 'f:annotations': annotations });
  if (isEmpty(mineMeta)) return [body, others];
  const restMeta = compact({ ...metadata, 'f:labels': otherLabels, 'f:annotations': otherAnnotations });
  return [compact({ ...body, 'f:metadata': mineMeta }), compact({ ...others, 'f:metadata': restMeta })];
}

const isKeyOf =
  (keys: ReadonlySet<string>) =>
  (step: string): boolean =>
    step.startsWith('f:') && keys.has(step.slice(2));

const member = (tree: Tree, step: string): Tree => {
  const found = ownValue(tree, step);
  return isJsonObject(found) ? found : {};
};

function pick(tree: Tree, wanted: (step: string) => boolean): readonly [picked: Tree, rest: Tree] {
  const picked: Record<string, JsonValue> = {};
  const rest: Record<string, JsonValue> = {};
  for (const [step, inner] of Object.entries(tree)) setOwn(wanted(step) ? picked : rest, step, inner as JsonValue);
  return [picked, rest];
}

/** Without members that own nothing: an empty tree under a name owns that name, so it must not arise where a branch was cut. */
const compact = (tree: Tree): Tree =>
  Object.fromEntries(
    Object.entries(tree).filter(([step, inner]) => !branches.has(step) || (isJsonObject(inner) && !isEmpty(inner))),
  );
const branches = new Set(['f:metadata', 'f:labels', 'f:annotations']);

function union(a: Tree, b: Tree): Tree {
  const all: Record<string, JsonValue | undefined> = { ...a };
  for (const [step, inner] of Object.entries(b)) {
    const both = Object.hasOwn(a, step) ? unionBelow(member(a, step), inner as Tree) : inner;
    setOwn(all, step, both);
  }
  return all;
}

/** Nothing below a name means that the name itself is owned; with something below, `.` says so. */
function unionBelow(a: Tree, b: Tree): Tree {
  if (isEmpty(a) !== isEmpty(b)) return { '.': {}, ...a, ...b };
  return union(a, b);
}

/** Whether every field of the tree exists in the object. */
function isIn(tree: Tree, value: JsonValue | undefined): boolean {
  return Object.entries(tree).every(([step, inner]) => {
    if (step === '.') return value !== undefined;
    const next = descend(value, step);
    return next !== undefined && isIn(inner as Tree, next);
  });
}

/** @see kubernetes-sigs/structured-merge-diff@v6.3.3 fieldpath/serialize-pe.go: `f:` field, `k:` item by keys, `v:` item by value, `i:` index */
function descend(value: JsonValue | undefined, step: string): JsonValue | undefined {
  const text = step.slice(2);
  switch (step.slice(0, 2)) {
    case 'f:':
      return isJsonObject(value) ? ownValue(value, text) : undefined;
    case 'k:': {
      const keys = Object.entries(parseJson(text) as JsonObject);
      return items(value).find(
        (item) => isJsonObject(item) && keys.every(([key, want]) => isSame(ownValue(item, key), want)),
      );
    }
    case 'v:': {
      const want = parseJson(text);
      return items(value).find((item) => isSame(item, want));
    }
    case 'i:':
      return items(value)[Number(text)];
    default:
      return undefined;
  }
}

const items = (value: JsonValue | undefined): readonly JsonValue[] => (isJsonArray(value) ? value : []);

const isSame = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  typeof a === 'number' && typeof b === 'number' ? sameValue(a, b) : a === b;
