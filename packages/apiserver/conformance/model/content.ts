/** What random requests say: small values of few fields, some of them not allowed. */
import { type JsonObject, type JsonValue, parseJson, type Random } from '@lifeline/core';
import type { ModelResource } from './operation.ts';

/** Members of a whole object, or of an applied part of one. */
export function membersOf(random: Random, resource: ModelResource, subresource: 'status' | undefined): JsonObject {
  return { ...metadataOf(random, false), ...contentOf(random, resource, { subresource, removes: false }) };
}

/** A merge patch: nulls remove. */
export function changeOf(random: Random, resource: ModelResource, subresource: 'status' | undefined): JsonObject {
  return { ...metadataOf(random, true), ...contentOf(random, resource, { subresource, removes: true }) };
}

function metadataOf(random: Random, removes: boolean): JsonObject {
  const metadata: Record<string, JsonValue> = {};
  // Nothing empty is applied: in the store of a real server it stays, and the next write that changes nothing is one.
  if (chance(random, 0.35))
    metadata['labels'] = { ...someOf(random, { m: ['1'] }, removes), l: pick(random, ['1', '2']) };
  if (chance(random, 0.15))
    metadata['annotations'] = { n: removes && chance(random, 0.3) ? null : pick(random, ['1', '2']) };
  if (chance(random, 0.15))
    metadata['finalizers'] = pick<string[]>(random, [['x.dev/f'], ['x.dev/f', 'x.dev/g'], removes ? [] : ['x.dev/g']]);
  return Object.keys(metadata).length === 0 ? {} : { metadata };
}

interface Part {
  readonly subresource: 'status' | undefined;
  readonly removes: boolean;
}

function contentOf(random: Random, resource: ModelResource, { subresource, removes }: Part): JsonObject {
  switch (resource) {
    case 'configmaps':
      return chance(random, 0.85)
        ? { data: someOf(random, { x: ['1', '2'], y: ['1', '2', 1], z: ['1'] }, removes) }
        : {};
    case 'gadgets':
      return {
        ...(chance(random, 0.8)
          ? { spec: someOf(random, { x: numbers, list: [[1], [1, 2]], deep: [{ a: 1 }, { b: [] }] }, removes) }
          : {}),
        ...(chance(random, 0.3) ? { status: someOf(random, { x: [1, 2] }, removes) } : {}),
      };
    case 'leases':
      return { spec: someOf(random, leaseSpec, removes) };
    case 'deployments':
      return { spec: deploymentSpecOf(random, removes) };
    case 'services':
      return { spec: { ...(removes ? {} : { clusterIP: 'None' }), ...serviceSpecOf(random, removes) } };
    case 'widgets':
      return subresource === 'status'
        ? {
            status: someOf(
              random,
              { phase: ['x', 'y'], conditions: conditionLists, observedGeneration: [1, 2] },
              removes,
            ),
          }
        : { spec: someOf(random, widgetSpec, removes), ...(chance(random, 0.1) ? { status: { phase: 'z' } } : {}) };
  }
}

const conditionLists: JsonValue[] = [
  [{ type: 'A', status: 'True' }],
  [{ type: 'B', status: 'True', reason: 'R' }],
  [
    { type: 'A', status: 'False' },
    { type: 'B', status: 'True' },
  ],
];

/** What Go and JavaScript write differently, among others. */
const numbers = ['1', '2', '1.5', '1.0', '1e3', '9007199254740993', '"1"'].map(parseJson);

const leaseSpec: Record<string, JsonValue[]> = {
  holderIdentity: ['x', 'y'],
  leaseDurationSeconds: [10, 10, 0, '10'],
  renewTime: ['2026-01-02T03:04:05.000000Z', '2026-01-02T03:04:06.500000Z', '2026-01-02T03:04:05Z'],
  leaseTransitions: [1, 2],
};

/** Values that may and some that may not be. */
const widgetSpec: Record<string, JsonValue[]> = {
  size: [1, 2, 101],
  mode: ['fast', 'slow', 'slow'],
  flag: [true, false],
  ratio: [0.5, 2],
  tags: [['a'], ['a', 'b'], ['c', 'b']],
  words: [['a'], ['b', 'a']],
  labels: [{ x: '1' }, { y: '2' }],
  whole_map: [{ x: '1' }, { y: '2' }],
  free: [{ any: 1 }, { other: { deep: [1] } }],
  nested: [{ a: '1' }, { a: '2', b: 1 }, { b: 1 }],
  ports: [
    [{ port: 1 }],
    [{ port: 1, label: 'x' }, { port: 2 }],
    [{ port: 1, protocol: 'UDP' }],
    [{ port: 2, protocol: 'TCP', label: 'y' }],
  ],
  unknown: [1],
};

function deploymentSpecOf(random: Random, removes: boolean): JsonObject {
  const one = {
    name: 'one',
    image: 'x',
    ...(chance(random, 0.3) ? { env: [{ name: 'A', value: pick(random, ['1', '2']) }] } : {}),
  };
  const two = { name: 'two', image: pick(random, ['y', 'z']), ports: [{ containerPort: 80 }] };
  const containers = pick<JsonObject[]>(random, [[one], [two], [one, two]]);
  const labels = { app: 'a' };
  const template = { ...(removes ? {} : { metadata: { labels } }), spec: { containers } };
  return {
    ...(removes ? {} : { selector: { matchLabels: labels } }),
    ...(chance(random, removes ? 0.6 : 0.95) ? { template } : {}),
    ...someOf(random, { replicas: [0, 2, -1], paused: [true, false], minReadySeconds: [5] }, removes),
  };
}

function serviceSpecOf(random: Random, removes: boolean): JsonObject {
  const ports = [
    [{ port: 80, name: 'a' }],
    [
      { port: 80, name: 'a' },
      { port: 81, name: 'b' },
    ],
    [{ port: 81, name: 'b', protocol: 'UDP' }],
  ];
  return {
    ...(chance(random, removes ? 0.5 : 0.95) ? { ports: pick(random, ports) } : {}),
    ...(chance(random, 0.5) ? { selector: someOf(random, { a: ['1', '2'], b: ['1'] }, removes) } : {}),
    ...(chance(random, 0.2) ? { publishNotReadyAddresses: chance(random, 0.5) } : {}),
  };
}

export function jsonPatchOf(random: Random, resource: ModelResource): JsonValue {
  const field = resource === 'configmaps' ? 'data' : 'spec';
  const operations: JsonObject[] = [
    { op: 'add', path: '/metadata/labels', value: { l: '1' } },
    { op: 'replace', path: '/metadata/labels/l', value: '2' },
    { op: 'remove', path: '/metadata/labels/l' },
    { op: 'remove', path: '/metadata/finalizers/0' },
    ...(resource === 'configmaps'
      ? [
          { op: 'add', path: '/data/x', value: '3' },
          { op: 'test', path: '/data/x', value: '1' },
          { op: 'move', from: '/data/x', path: '/data/y' },
          { op: 'copy', from: '/data/x', path: '/data/z' },
          { op: 'add', path: '/data', value: { x: '1' } },
        ]
      : []),
    ...(resource === 'widgets'
      ? [
          { op: 'add', path: '/spec/size', value: 3 },
          { op: 'add', path: '/spec/words/0', value: 'w' },
          { op: 'add', path: '/spec/words/-', value: 'v' },
          { op: 'remove', path: '/spec/ports/0' },
          { op: 'replace', path: '/spec/ports/0/label', value: 'z' },
        ]
      : []),
    { op: 'remove', path: `/${field}` },
  ];
  return Array.from({ length: 1 + random.int(2) }, () => pick(random, operations));
}

/** Some of these members, each with one of its values, or with null where members may be removed. */
function someOf(random: Random, members: Readonly<Record<string, readonly JsonValue[]>>, removes: boolean): JsonObject {
  const share = Math.min(0.6, 2.5 / Object.keys(members).length);
  const chosen: Record<string, JsonValue> = {};
  for (const [key, values] of Object.entries(members)) {
    if (!chance(random, share)) continue;
    chosen[key] = removes && chance(random, 0.25) ? null : pick(random, values);
  }
  return chosen;
}

export const chance = (random: Random, probability: number): boolean => random.next() < probability;
export const pick = <T>(random: Random, from: readonly T[]): T => from[random.int(from.length)] as T;
