/** A list, page by page. */
import type { KubeObject } from '@lifeline/core';
import type { ListResult } from './client.ts';
import { type ListPage, malformed } from './expected-object.ts';
import { isKubeError } from './kube-error.ts';

export interface PageRequest {
  readonly limit: number;
  readonly continueToken: string | undefined;
}

/** Lists that lost their snapshot on the way are begun anew this many times, each with pages twice as large: fewer to lose. */
export const maxRestarts = 3;

/**
 * Every page of one snapshot.
 *
 * Guarantees: all of it or an error; pages of different revisions are never put together. A 410 in mid-list offers a token that goes on
 * at a newer revision; it is not taken, since what was read before would be of another time.
 * @param fetchPage reads one page
 * @throws KubeError what `fetchPage` throws; `gone` after {@link maxRestarts}; `malformed` when the pages do not belong together
 */
export async function readList<T extends KubeObject>(
  what: string,
  pageSize: number,
  fetchPage: (request: PageRequest) => Promise<ListPage<T>>,
): Promise<ListResult<T>> {
  for (let restarts = 0; ; restarts++) {
    const limit = pageSize * 2 ** restarts;
    const first = await fetchPage({ limit, continueToken: undefined });
    try {
      return await readRest(what, first, (continueToken) => fetchPage({ limit, continueToken }));
    } catch (error) {
      if (!isKubeError(error, 'gone') || restarts >= maxRestarts) throw error;
    }
  }
}

async function readRest<T extends KubeObject>(
  what: string,
  first: ListPage<T>,
  fetchPage: (continueToken: string) => Promise<ListPage<T>>,
): Promise<ListResult<T>> {
  const items = [...first.items];
  const { resourceVersion } = first;
  for (let token = first.continueToken; token !== undefined;) {
    const page = await fetchPage(token);
    if (page.resourceVersion !== resourceVersion) throw malformed(what, `went on at another revision`);
    if (page.continueToken === token) throw malformed(what, `goes round in a circle`);
    for (const item of page.items) items.push(item);
    token = page.continueToken;
  }
  return { items, resourceVersion };
}
