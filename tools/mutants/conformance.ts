import type { Mutant } from './types.ts';

const conformance = (subject: string, test = subject): Pick<Mutant, 'file' | 'test'> => ({
  file: `packages/apiserver/conformance/${subject}.ts`,
  test: `packages/apiserver/conformance/${test}.test.ts`,
});

/** A suite that takes anything proves nothing. */
export const mutants: Mutant[] = [
  {
    ...conformance('pattern'),
    id: 'conformance-longer-list-matches',
    find: `if (!isJsonArray(value) || value.length !== patterns.length) return differs();`,
    replace: `if (!isJsonArray(value)) return differs();`,
    name: 'a longer list',
    why: 'a list matches item by item, and has no more',
  },
  {
    ...conformance('pattern'),
    id: 'conformance-exactly-is-a-subset',
    find: `deepEqual(value, expected) ? undefined`,
    replace: `mismatches(value, expected).length === 0 ? undefined`,
    name: 'exactly, with more',
    why: 'exactly leaves nothing out',
  },
  {
    ...conformance('pattern'),
    id: 'conformance-null-is-absent',
    find: `(value === undefined ? undefined : \`expected nothing`,
    replace: `(value == null ? undefined : \`expected nothing`,
    name: 'absent, and it is there',
    why: 'a null is something',
  },
  {
    ...conformance('answer', 'session'),
    id: 'conformance-status-is-not-looked-at',
    find: `if (answer.status === status) return answer;`,
    replace: `if (answer.status < 500) return answer;`,
    name: 'tells all that a case found',
    why: 'an answer with another status ends a case',
  },
  {
    ...conformance('checks', 'session'),
    id: 'conformance-failures-are-forgotten',
    find: `this.failures.push(...faults.map((fault) => \`\${what}: \${fault}\`));`,
    replace: `if (what === '') this.failures.push(...faults);`,
    name: 'without any sense',
    why: 'what a case finds is what it fails by',
  },
  {
    ...conformance('test', 'session'),
    id: 'conformance-first-made-is-removed-first',
    find: `[...this.#created].reverse()`,
    replace: `[...this.#created]`,
    name: 'removes what a case made, last first',
    why: 'what was made in a namespace goes before it',
  },
  {
    ...conformance('watch', 'session'),
    id: 'conformance-silent-watch-hangs',
    find: `using limit = deadlineAbort(clock, limitMs);`,
    replace: `using limit = deadlineAbort(clock, limitMs * 1000);`,
    name: 'ends a watch that brings nothing',
    why: 'each wait for an event has its deadline',
  },
  {
    ...conformance('model/normalise', 'model/model'),
    id: 'conformance-order-of-writes-is-lost',
    find: `return new Map(inOrder.map((version, index) => [version, \`rv-\${index + 1}\`]));`,
    replace: `return new Map(inOrder.map((version) => [version, 'rv-1']));`,
    name: 'keeps the order of writes apart',
    why: 'resourceVersions are compared by their order',
  },
  {
    ...conformance('model/difference', 'model/model'),
    id: 'conformance-more-than-the-real-one-is-alike',
    find: `return lacks.length > 0 ? lacks : extra;`,
    replace: `return lacks;`,
    name: 'names what differs',
    why: 'what ours has on top differs too',
  },
];
