/** Which objects a request selects, and one page of them. */
import {
  isJsonObject,
  type JsonObject,
  type KubeObject,
  matchesSelector,
  parseSelector,
  stringifyJson,
} from '@lifeline/core';
import { expired, tooLarge } from './refusal.ts';
import type { ScriptedStore } from './scripted-store.ts';
import type { WriteCall } from './write-rules.ts';

export type Selecting = Pick<WriteCall, 'kind' | 'namespace' | 'name' | 'query'>;

/** By path, `labelSelector` and `fieldSelector` (any field, compared as text). */
export function selectionOf({ query, namespace, name }: Selecting): (object: KubeObject) => boolean {
  const labels = parseSelector(query.get('labelSelector') ?? '');
  const terms = (query.get('fieldSelector') ?? '').split(',').filter((term) => term !== '');
  const fields = terms.map((term) => /^\.?(.+?)(!=|==?)(.*)$/.exec(term) ?? []);
  const fieldOf = (object: unknown, path: string): string => {
    const value = path.split('.').reduce((at, key) => (isJsonObject(at) ? at[key] : undefined), object);
    return typeof value === 'string' ? value : value === undefined ? '' : stringifyJson(value);
  };
  return (object) =>
    (namespace === undefined || object.metadata.namespace === namespace) &&
    (name === undefined || object.metadata.name === name) &&
    matchesSelector(labels, object.metadata.labels) &&
    fields.every(([, path = '', sign, want]) => (fieldOf(object, path) === want) === (sign !== '!='));
}

/** Where a list goes on: the revision of its first page (0: the newest there is), behind a key. */
interface ContinueToken {
  readonly at: number;
  readonly after: string;
}

const tokenOf = (token: ContinueToken): string => btoa(JSON.stringify(token));

/**
 * @param replicaRevision what `resourceVersion=0` may be served from
 * @throws Refusal 410 when the revision of the first page is compacted, with a token for the rest at the newest revision
 */
export function listPage(
  store: ScriptedStore,
  call: Selecting,
  replicaRevision: number,
): { items: KubeObject[]; metadata: JsonObject } {
  const { kind, query } = call;
  const asked = query.get('resourceVersion') ?? '';
  if (Number(asked) > store.revision) throw tooLarge(asked, store.revision);
  const token = query.get('continue');
  const { at, after }: ContinueToken = token
    ? (JSON.parse(atob(token)) as ContinueToken)
    : { at: asked === '0' ? replicaRevision : store.revision, after: '' };
  if (token && at !== 0 && at < store.compactedTo) throw expired(tokenOf({ at: 0, after }));
  const revision = at || store.revision;
  const matches = selectionOf(call);
  const rest = [...store.table(kind, revision)].filter(([key, object]) => key > after && matches(object));
  const page = rest.slice(0, Number(query.get('limit')) || rest.length);
  const metadata: Record<string, string | number> = { resourceVersion: String(revision) };
  if (page.length < rest.length) {
    metadata['continue'] = tokenOf({ at: revision, after: page.at(-1)?.[0] ?? '' });
    metadata['remainingItemCount'] = rest.length - page.length;
  }
  return { items: page.map(([, object]) => object), metadata };
}
