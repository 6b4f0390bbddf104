import { bodyOf, stringifyJson, type Transport } from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { Plane } from '../runtime/plane.ts';
import { discover } from './discovery.ts';

const planeOf = (documents: Readonly<Record<string, unknown>>): Plane => {
  const transport: Transport = async ({ url }) => {
    const body = documents[new URL(url).pathname];
    const bytes = new TextEncoder().encode(body === undefined ? '404 page not found' : stringifyJson(body));
    return { status: body === undefined ? 404 : 200, headers: {}, body: bodyOf(bytes) };
  };
  return new Plane({
    transport,
    baseUrl: 'https://a.test',
    clock: new VirtualClock(),
    random: seeded(1),
    timeoutMs: 1_000,
    userAgent: 'test',
  });
};

const verbs = ['list', 'watch', 'delete'];
const signal = new AbortController().signal;

const legacy = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/api/v1': {
    kind: 'APIResourceList',
    resources: [
      { name: 'configmaps', kind: 'ConfigMap', namespaced: true, verbs },
      { name: 'namespaces/status', kind: 'Namespace', namespaced: false, verbs: ['get'] },
    ],
  },
  '/apis': {
    kind: 'APIGroupList',
    groups: [{ name: 'example.com', versions: [{ version: 'v2' }, { version: 'v1' }] }],
  },
  '/apis/example.com/v2': { resources: [{ name: 'things', kind: 'Thing', namespaced: false, verbs }] },
  '/apis/example.com/v1': { resources: [{ name: 'things', kind: 'Thing', namespaced: false, verbs }] },
};

const thing = (version: string): object => ({
  version,
  resources: [
    { resource: 'things', responseKind: { group: 'example.com', version, kind: 'Thing' }, scope: 'Cluster', verbs },
  ],
});
const group = (name: string, ...versions: readonly object[]): object => ({ metadata: { name }, versions });
const aggregated = {
  '/api': {
    kind: 'APIGroupDiscoveryList',
    items: [
      group('', {
        version: 'v1',
        resources: [
          {
            resource: 'configmaps',
            responseKind: { group: '', version: 'v1', kind: 'ConfigMap' },
            scope: 'Namespaced',
            verbs,
          },
        ],
      }),
    ],
  },
  '/apis': { kind: 'APIGroupDiscoveryList', items: [group('example.com', thing('v2'), thing('v1'))] },
};

describe('discovery', () => {
  it.each([
    ['aggregated', aggregated],
    ['one document for each version', legacy],
  ])('%s', async (_, documents) => {
    expect(await discover(planeOf(documents), signal)).toEqual([
      { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true, verbs, preferred: true },
      {
        group: 'example.com',
        version: 'v2',
        kind: 'Thing',
        plural: 'things',
        namespaced: false,
        verbs,
        preferred: true,
      },
      {
        group: 'example.com',
        version: 'v1',
        kind: 'Thing',
        plural: 'things',
        namespaced: false,
        verbs,
        preferred: false,
      },
    ]);
  });

  it('a document that does not come is a failure, not an empty one', async () => {
    const { '/apis/example.com/v1': _, ...rest } = legacy;
    await expect(discover(planeOf(rest), signal)).rejects.toThrow('/apis/example.com/v1');
  });
});
