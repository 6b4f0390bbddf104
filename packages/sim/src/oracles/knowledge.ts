/** What each process has asked the planes, and what it was told: by the requests that it sent, not by what it made of them. */
import type { Kind } from '@lifeline/core';
import type { Delivery } from '../world/deliveries.ts';
import { isWatch, pathOf, type Sent } from '../world/record.ts';
import type { Upstream } from './subject.ts';

/** What a list asked for. */
export interface Selection {
  readonly at: number;
  readonly namespace: string | undefined;
  readonly labelSelector: string | undefined;
}

export class Knowledge {
  /** The lists under way, by process, plane and path; more than one selection of a path: nothing is concluded. */
  readonly #lists = new Map<string, Selection | 'several'>();
  readonly #synced = new Set<string>();
  readonly #answered = new Set<string>();

  sent(sent: Sent): void {
    const list = listOf(sent);
    if (!list) return;
    const key = `${ownerOf(sent)} ${sent.plane} ${list.collection}`;
    const known = this.#lists.get(key);
    const differs =
      known === 'several' ||
      (known && (known.namespace !== list.namespace || known.labelSelector !== list.labelSelector));
    // A later page shows what was there when the first was asked for.
    const asked = known && known !== 'several' && sent.request.url.includes('continue=') ? known.at : sent.at;
    this.#lists.set(key, differs ? 'several' : { ...list, at: asked });
  }

  /** A complete answer about one object counts; what a fault answered does not. */
  settled(sent: Sent): void {
    if (!sent.taken || sent.request.method !== 'GET') return;
    if (sent.status === 200 || sent.status === 404)
      this.#answered.add(`${ownerOf(sent)} ${sent.plane} ${pathOf(sent.request.url).replace(/\?.*/, '')}`);
  }

  delivered({ actor, incarnation, plane, cache, delta }: Delivery): void {
    if (delta.type === 'replaced') this.#synced.add(`${actor}.${incarnation} ${plane} ${cache.kind}`);
  }

  /** The selection of the list that a delta came from; undefined when that is not certain. */
  selection({ actor, incarnation, plane }: Delivery, kind: Kind): Selection | undefined {
    const found = this.#lists.get(`${actor}.${incarnation} ${plane} ${collectionOf(kind)}`);
    return found === 'several' ? undefined : found;
  }

  /** A complete list, or a complete answer about this very object, came to the process. */
  hasHeard(sent: Sent, upstream: Upstream): boolean {
    const owner = ownerOf(sent);
    const { plane, kind, name } = upstream;
    const path = pathIn(kind, name.namespace, name.name);
    return this.#synced.has(`${owner} ${plane} ${kind.id}`) || this.#answered.has(`${owner} ${plane} ${path}`);
  }
}

const ownerOf = ({ actor, incarnation }: Pick<Sent, 'actor' | 'incarnation'>): string => `${actor}.${incarnation}`;

const rootOf = ({ group, apiVersion }: Kind): string => `/${group ? 'apis' : 'api'}/${apiVersion}`;
const pathIn = (kind: Kind, namespace: string | undefined, name: string): string =>
  `${rootOf(kind)}/${namespace ? `namespaces/${namespace}/` : ''}${kind.plural}/${name}`;
const collectionOf = (kind: Kind): string => `${kind.plural}.${kind.group}`;

/** The list, or the list over a stream, that a request is. */
function listOf({ request }: Sent): (Omit<Selection, 'at'> & { readonly collection: string }) | undefined {
  if (request.method !== 'GET' || (isWatch(request) && !request.url.includes('sendInitialEvents=true')))
    return undefined;
  const [path = '', query = ''] = pathOf(request.url).split('?');
  const found = /^\/(?:api|apis\/([^/]+))\/[^/]+\/(?:namespaces\/([^/]+)\/)?([^/]+)$/.exec(path);
  if (!found) return undefined;
  const [, group = '', namespace, plural = ''] = found;
  const labelSelector = new URLSearchParams(query).get('labelSelector') ?? undefined;
  return { namespace, labelSelector, collection: `${plural}.${group}` };
}
