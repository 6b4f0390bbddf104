import type { Mutant } from './types.ts';

export const mutants: Mutant[] = [
  {
    id: 'documents-dead-link',
    file: 'e2e/documents.ts',
    find: 'if (!exists(target)) return [',
    replace: "if (!exists(target) && target === '') return [",
    test: 'e2e/documents.test.ts',
    name: 'says so',
    why: 'a link in a document leads to a file that is there',
  },
  {
    id: 'documents-dead-heading',
    file: 'e2e/documents.ts',
    find: 'anchorsOf(other.text).includes(heading)',
    replace: 'anchorsOf(other.text).length > 0',
    test: 'e2e/documents.test.ts',
    name: 'says so',
    why: 'a link to a heading leads to one that is there',
  },
  {
    id: 'documents-right-not-shown',
    file: 'apps/example-mirror/src/mirror/controller.ts',
    find: "fields: ['data', 'binaryData', 'metadata.labels', 'metadata.annotations'],",
    replace: "fields: ['*'],",
    test: 'e2e/documents.test.ts',
    name: 'ARCHITECTURE has a row',
    why: 'ARCHITECTURE.md says who writes which field',
  },
];
