import type { KubeObject } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { gadget } from '../testing/gadget.fixture.ts';
import type { ListPage } from './expected-object.ts';
import { KubeError } from './kube-error.ts';
import { maxRestarts, type PageRequest, readList } from './read-list.ts';

type Answer = KubeError | { names: string; rv: string; next?: string };

/** Answers page by page as written; notes what was asked. */
function pages(...answers: Answer[]) {
  const asked: string[] = [];
  const fetchPage = ({ limit, continueToken = 'start' }: PageRequest): Promise<ListPage<KubeObject>> => {
    asked.push(`${continueToken}/${limit}`);
    const answer = answers.shift();
    if (!answer) throw new Error('nothing left in the script');
    if (answer instanceof KubeError) return Promise.reject(answer);
    const items = Array.from(answer.names).map((name) => gadget(name));
    return Promise.resolve({ items, resourceVersion: answer.rv, continueToken: answer.next });
  };
  const list = async (): Promise<string> => {
    const { items, resourceVersion } = await readList('GET x', 2, fetchPage);
    return `${items.map(({ metadata }) => metadata.name).join('')}@${resourceVersion}`;
  };
  return { asked, list };
}

const gone = new KubeError('gone', 'expired', { continueToken: 'fresh' });
const broken = new KubeError('unavailable', '500');

describe('readList', () => {
  it('reads to the end, and nothing twice', async () => {
    const { asked, list } = pages(
      { names: 'ab', rv: '5', next: 't1' },
      { names: 'cd', rv: '5', next: 't2' },
      { names: 'e', rv: '5' },
    );
    expect(await list()).toBe('abcde@5');
    expect(asked).toEqual(['start/2', 't1/2', 't2/2']);
  });

  it('C37: a snapshot that expires on the way is begun anew, in larger pages, without what was read before', async () => {
    const { asked, list } = pages({ names: 'ab', rv: '5', next: 't1' }, gone, { names: 'bcde', rv: '9' });
    expect(await list()).toBe('bcde@9');
    expect(asked).toEqual(['start/2', 't1/2', 'start/4']);
  });

  it('C37: an error on any page is the error of the list', async () => {
    const { list } = pages({ names: 'ab', rv: '5', next: 't1' }, gone, { names: 'abcd', rv: '9', next: 't2' }, broken);
    await expect(list()).rejects.toBe(broken);
  });

  it('begins anew a bounded number of times', async () => {
    const round: Answer[] = [{ names: 'ab', rv: '5', next: 't' }, gone];
    const { asked, list } = pages(...Array.from({ length: maxRestarts + 1 }, () => round).flat());
    await expect(list()).rejects.toBe(gone);
    expect(asked).toHaveLength(2 * (maxRestarts + 1));
  });

  it('does not begin anew when the first page already says that its revision is gone', async () => {
    const { asked, list } = pages(gone);
    await expect(list()).rejects.toBe(gone);
    expect(asked).toHaveLength(1);
  });

  it.each([
    { name: 'of another revision', last: { names: 'c', rv: '6' } },
    { name: 'that leads to itself', last: { names: 'c', rv: '5', next: 't1' } },
  ])('refuses a page $name', async ({ last }) => {
    await expect(pages({ names: 'ab', rv: '5', next: 't1' }, last).list()).rejects.toMatchObject({ code: 'malformed' });
  });
});
