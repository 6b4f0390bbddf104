import type { Mutant } from './types.ts';

const test = 'tools/chart-gen.test.ts';
const schema = { file: 'tools/chart-gen/values-schema.ts', test };
const file = { file: 'tools/chart-gen/values-file.ts', test };
const rights = { file: 'tools/chart-gen/rights-file.ts', test };
const values = { file: 'tools/chart-gen/replicator-values.ts', test };

/** What is generated into charts, and the programs that the tiers bring. */
export const mutants: Mutant[] = [
  {
    ...schema,
    id: 'charts-groups-required',
    find: 'properties[key]?.properties === undefined',
    replace: 'properties[key] !== undefined',
    name: 'asks for what has no default, not for groups',
    why: 'a group of values may be left out',
  },
  {
    ...schema,
    id: 'charts-schema-dialect',
    find: "target: 'draft-7'",
    replace: "target: 'draft-2020-12'",
    name: 'asks for what has no default, not for groups',
    why: 'every Helm 3 reads the schema',
  },
  {
    ...file,
    id: 'charts-group-of-comments',
    find: "isBare ? ' {}' : ''",
    replace: "isBare ? '' : ''",
    name: 'groups that are there though they are empty',
    why: 'a group that holds comments only is null, and null takes the group away',
  },
  {
    ...values,
    id: 'charts-setting-left-out',
    find: '.strictObject({ ...config.shape, healthPort',
    replace: '.strictObject({ ...config.omit({ statusPaceMs: true }).shape, healthPort',
    name: 'has each setting of the app as a value',
    why: 'what the app reads can be set by the chart',
  },
  {
    ...values,
    id: 'charts-other-default',
    find: '.default(config.shape[of].parse(undefined))',
    replace: ".default(of === 'healthPort' ? 9081 : 9080)",
    name: 'holds what the sources generate',
    why: 'the chart has the defaults of the app',
  },
  {
    ...rights,
    id: 'charts-rights-of-one-source',
    find: 'sources: all.map(({ source }) => source),',
    replace: 'sources: all.slice(0, 1).map(({ source }) => source),',
    name: 'are those that it declares',
    why: 'each source of projects has its rights',
  },
  {
    ...rights,
    id: 'charts-rights-of-all-hubs',
    find: 'JSON.stringify(rights[role])',
    replace: "(role === 'hub' ? '' : JSON.stringify(rights[role]))",
    name: 'are those that it declares',
    why: 'a hub whose projects are never swept gives no right to delete Namespaces',
  },
  {
    file: 'tools/chart-gen/chart-files.ts',
    id: 'charts-drift-unseen',
    find: '=== text ? [] : [`${path}: differs`]',
    replace: "!== '' ? [] : [`${path}: differs`]",
    test,
    name: 'tells missing files and files that differ',
    why: 'a generated file that was edited, or is old, is found',
  },
  {
    file: 'tools/tiers/install-program.ts',
    id: 'charts-any-program',
    find: 'if (found !== sha256)',
    replace: 'if (found.length !== sha256.length)',
    test: 'tools/tiers/install-program.test.ts',
    name: 'takes no other bytes than those it knows',
    why: 'no program is run that we do not know',
  },
  {
    file: 'tools/tiers/find-program.ts',
    id: 'charts-old-program',
    find: 'Number(minor) >= least.minor',
    replace: 'Number(minor) >= 0',
    test: 'tools/tiers/find-program.test.ts',
    name: 'does not use v1.34.9, and says why',
    why: 'tests run with no program that is too old for them',
  },
  {
    file: 'packages/core/src/contract/metrics.ts',
    id: 'charts-alert-on-nothing',
    find: "gauge('lifeline_shard_held', '1 while this replica holds the shard.', 'shard')",
    replace: "gauge('lifeline_shards_held', '1 while this replica holds the shard.', 'shard')",
    test: 'e2e/hub-replicator/alerts.test.ts',
    name: 'asks for what is exported',
    why: 'an alert on a metric that is not there never fires',
  },
  {
    file: 'packages/apiserver/src/write/delete-options.ts',
    id: 'charts-delete-options-json',
    find: "request.headers['content-type'], 'typed')",
    replace: "request.headers['content-type'], 'structural')",
    test: 'packages/apiserver/src/write/delete.test.ts',
    name: 'as protobuf, as typed Go clients send them',
    why: 'helm uninstall deletes its records with a protobuf body',
  },
];
