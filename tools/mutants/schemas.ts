import type { Mutant } from './types.ts';

const src = 'packages/apiserver/src';
const compile = { file: `${src}/schema/compile.ts`, test: `${src}/schema/compile.test.ts` };
const prune = { file: `${src}/schema/prune.ts`, test: `${src}/schema/prune.test.ts` };
const defaults = { file: `${src}/schema/defaults.ts`, test: `${src}/schema/defaults.test.ts` };
const goType = { file: `${src}/go-type.ts`, test: `${src}/schema/compile.test.ts` };
const numbers = { file: `${src}/schema/validate/number-flaws.ts`, test: `${src}/schema/compile.test.ts` };
const failure = { file: `${src}/schema/validate/failure.ts`, test: `${src}/schema/compile.test.ts` };
const listTypes = { file: `${src}/schema/list-types.ts`, test: `${src}/schema/compile.test.ts` };
const custom = { file: `${src}/resources/custom-resources.ts`, test: `${src}/resources/custom-resources.test.ts` };
const definition = {
  file: `${src}/resources/crd/validate-definition.ts`,
  test: `${src}/resources/crd-strategy.test.ts`,
};
const discovery = `${src}/discovery/discover.test.ts`;

/** Schemas, CustomResourceDefinitions and discovery of the test planes. */
export const mutants: Mutant[] = [
  {
    ...prune,
    id: 'schemas-prune-envelope',
    find: '(at.root && envelope.has(key))',
    replace: 'envelope.has(key)',
    name: 'fields of an envelope',
    why: 'only the envelope of the whole object is nobody’s to prune',
  },
  {
    ...prune,
    id: 'schemas-prune-null',
    find: 'if (!member.nullable && member.default === undefined)',
    replace: 'if (!member.nullable)',
    name: 'nulls, without a word',
    why: 'a null that stands for a default is left to be filled in',
  },
  {
    ...defaults,
    id: 'schemas-default-within-default',
    file: `${src}/schema/structure.ts`,
    find: 'deepFreeze(fillDefaults(prune(schema.default, structure), structure))',
    replace: 'deepFreeze(schema.default)',
    name: 'what a default lacks of its own',
    why: 'a default is filled in like any other object',
  },
  {
    ...defaults,
    id: 'schemas-default-null',
    find: 'if (value === null && !structure.nullable)',
    replace: 'if (value === null)',
    name: 'not a null that is allowed',
    why: 'a null that is allowed is a value',
  },
  {
    ...goType,
    id: 'schemas-int64',
    find: 'Math.abs(value) < Number(int64Limit)',
    replace: 'Math.abs(value) <= Number(int64Limit)',
    name: "'int64': '9223372036854775808'",
    why: 'an integer is what an int64 holds',
  },
  {
    ...numbers,
    id: 'schemas-exact-bound',
    find: "if (typeof value === 'number' || !isInt64(value)) return",
    replace: 'if (Number(value) < Infinity) return',
    name: "'big': '9007199254740993'",
    why: 'bounds of int64 are exact where doubles are not',
  },
  {
    ...failure,
    id: 'schemas-ratcheting-list',
    find: "if (!items || listType !== 'map' || !isJsonObject(member)) return undefined;",
    replace: 'if (!items || !isJsonObject(member)) return undefined;',
    name: 'not items of a list that changed',
    why: 'only items of list maps are known by their keys',
  },
  {
    ...failure,
    id: 'schemas-ratcheting',
    find: 'if (before && deepEqual(value, before.value)) return [];',
    replace: '',
    name: 'a field that did not change',
    why: 'what was wrong before a schema became stricter does not hold up a write',
  },
  {
    ...failure,
    id: 'schemas-first-flaw',
    find: 'const sorted = withoutShadowed(flaws)',
    replace: 'const sorted = [...flaws]',
    name: "'str': '\"ABCDEF\"'",
    why: 'of a text, the first flaw is told alone',
  },
  {
    ...listTypes,
    id: 'schemas-list-map-keys',
    find: 'if (texts?.every((text) => text !== undefined) && new Set(texts).size === list.length) return none;',
    replace: 'if (texts) return none;',
    name: "'lm':",
    why: 'no two items of a list map have the same keys',
  },
  {
    ...compile,
    id: 'schemas-own-properties',
    file: `${src}/schema/validate/validator.ts`,
    find: 'ownProperties: true',
    replace: 'ownProperties: false',
    name: 'takes properties that every object has',
    why: 'keys of objects are foreign data',
  },
  {
    ...compile,
    id: 'schemas-status-root',
    find: "failure?.({ name: '', root: 'status' }",
    replace: "failure?.({ name: 'status', root: '' }",
    name: 'statusOnly',
    why: 'messages of a status write name fields from the status',
  },
  {
    ...definition,
    id: 'crd-immutable-before-established',
    find: "...(isTrue(old, 'Established')",
    replace: '...(old.metadata.name',
    name: 'lets scope and kind change until it is established',
    why: 'a definition that serves nothing yet may still change',
  },
  {
    ...definition,
    id: 'crd-versions-differ',
    find: '...differenceFlaws(versions),',
    replace: '',
    name: 'versions that differ',
    why: 'versions of different forms are refused, not served wrongly',
  },
  {
    ...custom,
    id: 'crd-waits-for-objects',
    find: "if (isTrue(definition, 'Established') && !this.#empty(name)) return pollMs;",
    replace: '',
    name: 'deletes the objects of a deleted definition',
    why: 'a definition outlives its objects',
  },
  {
    ...custom,
    id: 'crd-names-come-free',
    find: 'for (const each of this.#all()) if (each.spec.group === spec.group) this.#settle(each.metadata.name);',
    replace: 'this.#settle(metadata.name);',
    name: 'does not give a name twice, until it is free',
    why: 'a name that comes free goes to who waits for it',
  },
  {
    ...custom,
    id: 'crd-reshape',
    find: 'if (old && next && old.schema !== next.schema) this.#reshape(next);',
    replace: '',
    name: 'reads what is stored by the schema of now',
    why: 'a changed schema holds for what is stored, too',
  },
  {
    id: 'discovery-etag',
    file: `${src}/discovery/discover.ts`,
    find: "createHash('sha256').update(bytes)",
    replace: "createHash('sha256').update(aggregatedType)",
    test: discovery,
    name: 'does not repeat what a client knows, until it changes',
    why: 'a tag changes with what it stands for',
  },
  {
    id: 'openapi-base-path',
    file: `${src}/discovery/openapi/open-api.ts`,
    find: '`${basePath}/openapi/v3/',
    replace: '`/openapi/v3/',
    test: discovery,
    name: 'below what the plane lives under',
    why: 'kubectl takes the paths of the index as they are',
  },
  {
    id: 'openapi-strategic',
    file: `${src}/discovery/openapi/paths.ts`,
    find: "strategic: decoding === 'typed'",
    replace: 'strategic: true',
    test: discovery,
    name: 'declares what kubectl looks for before it applies',
    why: 'kubectl sends a strategic merge patch where the document offers it',
  },
];
