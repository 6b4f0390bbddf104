import type { Mutant } from './types.ts';

const part = (subject: string, test = subject): Pick<Mutant, 'file' | 'test'> => ({
  file: `packages/apiserver/src/${subject}.ts`,
  test: `packages/apiserver/src/${test}.test.ts`,
});

/** The store, lists, watches and answers of the test planes: each bug would make them kinder, or crueller, than real ones. */
export const mutants: Mutant[] = [
  {
    ...part('storage/resource-table', 'storage/memory-store'),
    id: 'planes-list-handed-out-changes',
    find: `    this.#objects = this.#objects.slice();\n`,
    replace: ``,
    name: 'never changes a list that it handed out',
    why: 'a list is of one moment',
  },
  {
    ...part('storage/resource-table', 'storage/memory-store'),
    id: 'planes-past-is-off-by-one',
    find: `if (number <= revision) break;`,
    replace: `if (number < revision) break;`,
    name: 'remembers every revision as it was',
    why: 'a list of a revision holds the write of that revision',
  },
  {
    ...part('storage/memory-store'),
    id: 'planes-lost-update',
    find: `if (this.get(resource, object.metadata) !== previous) {`,
    replace: `if (previous === null) {`,
    name: 'refuses a write whose writer saw something else',
    why: 'nobody overwrites what they did not see',
  },
  {
    ...part('read/list'),
    id: 'planes-pages-of-different-moments',
    find: `revision === store.revision ? store.list(id, namespace) : store.listAt(revision, id, namespace)`,
    replace: `store.list(id, namespace)`,
    name: 'is of one moment, whatever happens meanwhile',
    why: 'all pages of a list are of one revision',
  },
  {
    ...part('read/list'),
    id: 'planes-expired-page-goes-on',
    find: `if (revision < server.store.compactedTo) {`,
    replace: `if (revision < 0) {`,
    name: 'expires with its revision',
    why: 'a page of a compacted revision is a 410, never a silent mix',
  },
  {
    ...part('read/watch'),
    id: 'planes-forgotten-revision-is-watched',
    find: `if (from < store.compactedTo) throw`,
    replace: `if (from < 0) throw`,
    name: 'says itself that its revision is forgotten',
    why: 'a watch from a compacted revision gets an ERROR, never a stream with a hole',
  },
  {
    ...part('read/watch'),
    id: 'planes-event-told-twice',
    find: `const line = revision.revision > beginning.from ? lines.revision(revision) : undefined;`,
    replace: `const line = lines.revision(revision);`,
    name: 'skips what is before it',
    why: 'a watch tells nothing from before its revision',
  },
  {
    ...part('read/watch-events', 'read/watch'),
    id: 'planes-left-selection-is-modified',
    find: `{ type: 'DELETED', stored: withMetadata(previous, { resourceVersion }) }`,
    replace: `{ type: 'MODIFIED', stored: object }`,
    name: 'deletes what no longer does, as it was',
    why: 'who watches a selection is told when something leaves it',
  },
  {
    ...part('read/bookmark-timer', 'read/watch'),
    id: 'planes-bookmark-timer-stays',
    find: `        if (this.#listeners.size === 0) this.#arm();\n`,
    replace: ``,
    name: 'come once a period to who takes them, and cost one timer',
    why: 'a plane at rest holds no timer',
  },
  {
    ...part('read/view'),
    id: 'planes-replica-sees-the-present',
    find: `if (revision.revision <= this.horizon(revision.resource)) this.watches.deliver(revision);`,
    replace: `this.watches.deliver(revision);`,
    name: 'shows the past to watches',
    why: 'watches of a lagging replica lag',
  },
  {
    ...part('read/view', 'read/watch.property'),
    id: 'planes-thaw-loses-events',
    find: `if (revision < this.#store.compactedTo) this.watches.end(resource);`,
    replace: `if (revision < this.#store.compactedTo) continue;`,
    name: 'keep copies that are true',
    why: 'a watch with a hole ends',
  },
  {
    ...part('read/event-stream'),
    id: 'planes-broken-stream-looks-ended',
    find: `        throw this.#state.error;`,
    replace: `        return done;`,
    name: 'loses what was not read when it breaks',
    why: 'a cut connection is never a clean end',
  },
  {
    ...part('http/exchange'),
    id: 'planes-admitted-too-late',
    find: `    admit?.();
    const response = handled(server, request, { ...options, signal });`,
    replace: `    const response = handled(server, request, { ...options, signal });
    admit?.();`,
    name: 'asks to be admitted right before it handles the request',
    why: 'who is not admitted writes nothing',
  },
];
