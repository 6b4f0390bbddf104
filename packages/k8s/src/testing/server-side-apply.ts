/** Who owns which field: `managedFields` and server-side apply, as far as tests need them. Every list is atomic but those with map keys. */
import {
  deepEqual,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type Kind,
  type KubeObject,
  parseJson,
  stringifyJson,
} from '@lifeline/core';
import { detailsOf, Refusal } from './refusal.ts';

/** `f:name` for a field, `k:{…}` for the item with these key fields in a list that is a map. */
type Path = readonly string[];
/** The path of a leaf as JSON, so that sets can hold it. */
type Leaf = string;

export interface Author {
  readonly manager: string;
  readonly subresource: string | undefined;
  /** Now, as RFC 3339. */
  readonly time: string;
}

const serverOwned = /^\["f:(apiVersion"|kind"|metadata","f:(?!labels"|annotations"|finalizers"|ownerReferences"))/;

const isEmpty = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length === 0;

function hasKeys(step: string): (item: unknown) => boolean {
  const keys = Object.entries(parseJson(step.slice(2)) as JsonObject);
  return (item) => isJsonObject(item) && keys.every(([name, want]) => deepEqual(item[name], want));
}

function* pathsOf(value: unknown, kind: Kind, path: Path = []): Generator<Path> {
  const fields = path.filter((step) => step.startsWith('f:')).map((step) => step.slice(2));
  const keys = fields.join('.') === 'metadata.ownerReferences' ? ['uid'] : kind.listMapKeys[fields.join('.')];
  if (isJsonObject(value) && !isEmpty(value)) {
    for (const [name, inner] of Object.entries(value)) yield* pathsOf(inner, kind, [...path, `f:${name}`]);
  } else if (isJsonArray(value) && keys && value.length > 0) {
    for (const item of value as readonly JsonObject[]) {
      const id = Object.fromEntries(keys.map((name) => [name, item[name]]));
      yield* pathsOf(item, kind, [...path, `k:${stringifyJson(id)}`]);
    }
  } else yield path;
}

const leavesOf = (object: unknown, kind: Kind): Leaf[] =>
  [...pathsOf(object, kind)].map((path) => JSON.stringify(path)).filter((leaf) => !serverOwned.test(leaf));

const stepsOf = (leaf: Leaf): Path => JSON.parse(leaf) as Path;

const valueAt = (root: unknown, leaf: Leaf): unknown =>
  stepsOf(leaf).reduce((value: unknown, step) => {
    if (step.startsWith('k:')) return isJsonArray(value) ? value.find(hasKeys(step)) : undefined;
    return isJsonObject(value) && Object.hasOwn(value, step.slice(2)) ? value[step.slice(2)] : undefined;
  }, root);

/** `value` with a leaf set, or (undefined) removed together with the containers that are empty then. */
function edit(value: unknown, [step, ...rest]: Path, leaf: unknown): unknown {
  if (step === undefined) return isEmpty(leaf) && isJsonObject(value) ? value : leaf;
  if (step.startsWith('k:')) {
    const items: readonly unknown[] = isJsonArray(value) ? value : [];
    const at = items.findIndex(hasKeys(step));
    const keys = Object.keys(parseJson(step.slice(2)) as JsonObject);
    const removesKey = leaf === undefined && keys.includes(rest[0]?.slice(2) ?? '');
    const edited = removesKey ? items[at] : edit(items[at], rest, leaf);
    // Keys go with the last other field of their item.
    const isBare = isJsonObject(edited) && Object.keys(edited).every((name) => keys.includes(name));
    const item = leaf === undefined && isBare ? undefined : edited;
    const kept = (at < 0 ? [...items, item] : items.with(at, item)).filter((one) => one !== undefined);
    return kept.length > 0 ? kept : undefined;
  }
  const { [step.slice(2)]: inner, ...others } = isJsonObject(value) ? value : {};
  const next = edit(inner, rest, leaf);
  if (next === undefined) return isEmpty(others) ? undefined : others;
  return { ...others, [step.slice(2)]: next };
}

interface Entry extends Author {
  readonly operation: string;
  readonly leaves: ReadonlySet<Leaf>;
}

function* fieldPaths(tree: unknown, path: Path = []): Generator<Path> {
  if (isEmpty(tree)) yield path;
  else for (const [step, inner] of Object.entries(tree as JsonObject)) yield* fieldPaths(inner, [...path, step]);
}

const entriesOf = (object: KubeObject | undefined): Entry[] =>
  (object?.metadata.managedFields ?? []).map((raw) => {
    const { fieldsV1, ...entry } = raw as unknown as Entry & { fieldsV1: unknown };
    return { ...entry, leaves: new Set([...fieldPaths(fieldsV1)].map((path) => JSON.stringify(path))) };
  });

function fieldsV1(leaves: ReadonlySet<Leaf>): object {
  const tree = {};
  for (const leaf of leaves)
    stepsOf(leaf).reduce<Record<string, object>>((at, step) => (at[step] ??= {}) as never, tree);
  return tree;
}

const isBy =
  ({ manager, subresource, operation }: Omit<Entry, 'leaves' | 'time'>) =>
  (entry: Entry): boolean =>
    entry.manager === manager && entry.subresource === subresource && entry.operation === operation;

/** Notes that `claim` owns its leaves and nobody else what it took. An entry that stays the same keeps its time. */
function record(object: KubeObject, claim: Entry, taken: ReadonlySet<Leaf>): KubeObject {
  const entries = entriesOf(object);
  const before = entries.find(isBy(claim));
  const isSame = before?.leaves.symmetricDifference(claim.leaves).size === 0;
  const others = entries.filter((entry) => entry !== before);
  const managedFields = [
    ...others.map((entry) => ({ ...entry, leaves: entry.leaves.difference(taken) })),
    isSame ? before : claim,
  ]
    .filter(({ leaves }) => leaves.size > 0)
    .map(({ leaves, subresource, ...entry }) => ({
      ...entry,
      ...(subresource && { subresource }),
      apiVersion: object.apiVersion,
      fieldsType: 'FieldsV1',
      fieldsV1: fieldsV1(leaves),
    }));
  return { ...object, metadata: { ...object.metadata, managedFields } };
}

/** `next`, with the author noted for every field in which it differs from `old`. */
export function trackUpdate(
  kind: Kind,
  write: { old: KubeObject | undefined; next: KubeObject },
  author: Author,
): KubeObject {
  const { old, next } = write;
  const present = new Set(leavesOf(next, kind));
  const changed = new Set([...present].filter((leaf) => !deepEqual(valueAt(old, leaf), valueAt(next, leaf))));
  const entries = entriesOf(old);
  const owned = new Set(entries.flatMap((entry) => [...entry.leaves]));
  const mine = entries.find(isBy({ ...author, operation: 'Update' }))?.leaves ?? new Set<Leaf>();
  const claim = { ...author, operation: 'Update', leaves: mine.intersection(present).union(changed) };
  const metadata = { ...next.metadata, managedFields: old?.metadata.managedFields };
  return record({ ...next, metadata }, claim, owned.difference(present).union(changed));
}

/**
 * `config` merged into `live`. What the author applied before, and neither it nor anybody else claims now, goes away.
 * @throws Refusal 409 when another manager owns a field that would change, unless `force`
 */
export function applyFields(
  kind: Kind,
  write: { live: KubeObject; config: unknown; force: boolean },
  author: Author,
): KubeObject {
  const { live, config, force } = write;
  const claim = { ...author, operation: 'Apply', leaves: new Set(leavesOf(config, kind)) };
  const entries = entriesOf(live);
  const others = entries.filter((entry) => !isBy(claim)(entry));
  const changed = new Set([...claim.leaves].filter((leaf) => !deepEqual(valueAt(live, leaf), valueAt(config, leaf))));
  if (!force) refuseConflicts(kind, live, { others, changed });
  const mine = entries.find(isBy(claim))?.leaves ?? new Set<Leaf>();
  const dropped = [...mine.difference(claim.leaves)].filter((leaf) => !others.some(({ leaves }) => leaves.has(leaf)));
  let next: unknown = live;
  for (const leaf of dropped) next = edit(next, stepsOf(leaf), undefined);
  for (const leaf of claim.leaves) next = edit(next, stepsOf(leaf), valueAt(config, leaf));
  return record(next as KubeObject, claim, changed);
}

function refuseConflicts(
  kind: Kind,
  live: KubeObject,
  { others, changed }: { others: readonly Entry[]; changed: ReadonlySet<Leaf> },
): void {
  const causes = others.flatMap(({ manager, leaves }) =>
    [...changed.intersection(leaves)].map((leaf) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with "${manager}"`,
      field: `.${stepsOf(leaf)
        .map((step) => step.slice(2))
        .join('.')}`,
    })),
  );
  if (causes.length === 0) return;
  const told = causes.map(({ message, field }) => `${message}: ${field}`).join(', ');
  throw new Refusal({
    code: 409,
    reason: 'Conflict',
    message: `Apply failed with ${causes.length} conflict(s): ${told}`,
    details: detailsOf({ kind, name: live.metadata.name }, { causes }),
  });
}
