import { union } from './fields/field-set.ts';
import { type Owner, ownerKey, type Owners } from './owners.ts';

const maxUpdaters = 10;

/** Who gets the fields of those that are too many. */
const ancient = 'ancient-changes';

/**
 * At most ten owners by update: the oldest ones of each version become one.
 * @see kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/capmanagers.go
 */
export function capUpdaters(owners: Owners): Owners {
  const updaters = [...owners].filter(([, { operation }]) => operation === 'Update');
  if (updaters.length <= maxUpdaters) return owners;
  updaters.sort(oldestFirst);

  const out = new Map(owners);
  const oldestOf = new Map<string, readonly [key: string, owner: Owner]>();
  let count = updaters.length;
  for (const [key, owner] of updaters) {
    if (count <= maxUpdaters) break;
    const oldest = oldestOf.get(owner.apiVersion);
    if (!oldest) {
      oldestOf.set(owner.apiVersion, [key, owner]);
      continue;
    }
    const bucket: Omit<Owner, 'fields'> = { ...owner, manager: ancient, subresource: '' };
    const bucketKey = ownerKey(bucket);
    if (!out.has(bucketKey)) {
      out.delete(oldest[0]);
      out.set(bucketKey, { ...bucket, fields: oldest[1].fields });
    }
    const { fields } = out.get(bucketKey) as Owner;
    out.delete(key);
    out.set(bucketKey, { ...bucket, fields: union(owner.fields, fields) });
    count--;
  }
  return out;
}

type Entry = readonly [key: string, owner: Owner];

function oldestFirst([key, { time }]: Entry, [otherKey, { time: otherTime }]: Entry): number {
  const [a, b] = [time ?? '', otherTime ?? ''];
  if (a !== b) return a < b ? -1 : 1;
  return key < otherKey ? -1 : 1;
}
