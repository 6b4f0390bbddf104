import type { JsonObject } from '@lifeline/core';
import { afterAll, describe, expect, it } from 'vitest';
import { configMap, configMaps, gadget, gadgets, leases, messageOf, writePlane } from './write-plane.fixture.ts';

const plane = await writePlane({ controllers: false });
afterAll(() => plane[Symbol.dispose]());

interface Cause {
  readonly field: string;
  readonly message: string;
  readonly reason: string;
}

const causesOf = async (path: string, body: JsonObject): Promise<readonly Cause[]> => {
  const answer = await plane.ask('POST', path, body, { query: 'dryRun=All' });
  if (answer.status === 201) return [];
  return (answer.body['details'] as unknown as { causes: Cause[] }).causes;
};

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'n', uid: 'u' };
const qualified = /^Invalid value: ".*": name part must consist of alphanumeric characters/;

describe('what metadata must be', () => {
  it.each<[string, JsonObject, [string, string | RegExp][]]>([
    ['nothing', {}, []],
    ['labels', { labels: { 'example.com/x': '', y: 'a.b_c-D' } }, []],
    [
      'a bad value',
      { labels: { x: 'not a value' } },
      [['metadata.labels', /^Invalid value: "not a value": a valid label must be an empty string or/]],
    ],
    [
      'a bad key and value',
      { labels: { '!': '!' } },
      [
        ['metadata.labels', qualified],
        ['metadata.labels', /a valid label must be/],
      ],
    ],
    ['a long value', { labels: { x: 'a'.repeat(64) } }, [['metadata.labels', /must be no more than 63 bytes$/]]],
    [
      'upper case in a prefix',
      { labels: { 'A.b/x': '' } },
      [['metadata.labels', /prefix part a lowercase RFC 1123 subdomain/]],
    ],
    ['annotation keys of any case', { annotations: { 'Example.COM/Key': '{"any": "text"}\n' } }, []],
    ['a bad annotation key', { annotations: { 'a b': '' } }, [['metadata.annotations', qualified]]],
    ['annotations up to the limit', { annotations: { x: 'a'.repeat(262_143) } }, []],
    [
      'annotations beyond it',
      { annotations: { x: 'a'.repeat(262_144) } },
      [['metadata.annotations', 'Too long: may not be more than 262144 bytes']],
    ],
    [
      'annotations counted in bytes',
      { annotations: { x: 'é'.repeat(131_072) } },
      [['metadata.annotations', 'Too long: may not be more than 262144 bytes']],
    ],
    [
      'a negative generation',
      { generation: -1 },
      [['metadata.generation', 'Invalid value: -1: must be greater than or equal to 0']],
    ],
    ['owners', { ownerReferences: [owner, { ...owner, uid: 'v', controller: true }] }, []],
    [
      'an empty owner',
      { ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }] },
      [
        ['metadata.ownerReferences.apiVersion', 'Invalid value: "": version must not be empty'],
        ['metadata.ownerReferences.kind', 'Invalid value: "": must not be empty'],
        ['metadata.ownerReferences.name', 'Invalid value: "": must not be empty'],
        ['metadata.ownerReferences.uid', 'Invalid value: "": must not be empty'],
      ],
    ],
    [
      'two controllers',
      {
        ownerReferences: [
          { ...owner, controller: true },
          { ...owner, uid: 'v', controller: true },
        ],
      },
      [
        [
          'metadata.ownerReferences',
          'Invalid value: [{"apiVersion":"v1","kind":"ConfigMap","name":"n","uid":"u","controller":true},{"apiVersion":"v1","kind":"ConfigMap","name":"n","uid":"v","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for ConfigMap/n and ConfigMap/n',
        ],
      ],
    ],
    [
      'an Event as owner',
      { ownerReferences: [{ ...owner, kind: 'Event' }] },
      [
        [
          'metadata.ownerReferences',
          'Invalid value: {"apiVersion":"v1","kind":"Event","name":"n","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
        ],
      ],
    ],
    ['finalizers', { finalizers: ['x.dev/f', 'kubernetes', 'orphan'] }, []],
    [
      'a bare finalizer',
      { finalizers: ['bare'] },
      [
        [
          'metadata.finalizers[0]',
          'Invalid value: "bare": name is neither a standard finalizer name nor is it fully qualified',
        ],
      ],
    ],
    ['a bad finalizer', { finalizers: ['x.dev/a b'] }, [['metadata.finalizers', qualified]]],
    [
      'both of the collector’s',
      { finalizers: ['orphan', 'foregroundDeletion'] },
      [
        [
          'metadata.finalizers',
          'Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
        ],
      ],
    ],
  ])('%s', async (_, metadata, want) => {
    const causes = await causesOf(configMaps, configMap('a', { metadata }));
    expect(causes.map(({ field, message }) => [field, message])).toEqual(
      want.map(([field, message]) => [field, message instanceof RegExp ? expect.stringMatching(message) : message]),
    );
  });

  it('a bare finalizer is taken for a custom resource and a Lease', async () => {
    const metadata = { finalizers: ['bare'] };
    expect(await causesOf(gadgets, gadget('a', { metadata }))).toEqual([]);
    expect(await causesOf(leases, { metadata: { name: 'a', ...metadata } })).toEqual([]);
  });

  it.each([
    ['Upper', /a lowercase RFC 1123 subdomain must consist of/],
    ['a..b', /a lowercase RFC 1123 subdomain/],
    ['a'.repeat(254), /must be no more than 253 characters$/],
    ['', /^Required value: name or generateName is required$/],
  ])('the name %j is none', async (name, message) => {
    for (const causes of [await causesOf(configMaps, configMap(name)), await causesOf(gadgets, gadget(name))]) {
      expect(causes.map((cause) => [cause.field, cause.message])).toEqual([
        ['metadata.name', expect.stringMatching(message)],
      ]);
    }
  });
});

describe('a refusal', () => {
  it('of an update tells what is wrong once, in more causes than that', async () => {
    await plane.ask('POST', gadgets, gadget('a'));
    const answer = await plane.merge(`${gadgets}/a`, { metadata: { labels: { x: '!' } } });
    const { causes } = answer.body['details'] as unknown as { causes: Cause[] };
    expect(causes).toHaveLength(3);
    expect(String(messageOf(answer)).split('metadata.labels').length - 1).toBe(1);
  });

  it('of an update of a built-in kind tells of what it is by itself, too; of some kinds not', async () => {
    await plane.ask('POST', configMaps, configMap('a'));
    await plane.ask('POST', leases, { metadata: { name: 'a' } });
    const metadata = { generateName: 'G_', finalizers: ['bare'] };
    const answer = await plane.merge(`${configMaps}/a`, { metadata });
    const { causes } = answer.body['details'] as unknown as { causes: Cause[] };
    expect(causes.map(({ field }) => field)).toEqual(['metadata.generateName', 'metadata.finalizers[0]']);
    expect((await plane.merge(`${leases}/a`, { metadata })).status).toBe(200);
  });

  it('of an update looks at what changed only', async () => {
    const answer = await plane.merge(`${gadgets}/a`, { metadata: { annotations: { 'a b': '' } } });
    expect((answer.body['details'] as unknown as { causes: Cause[] }).causes.map(({ field }) => field)).toEqual(
      Array(3).fill('metadata.annotations'),
    );
  });
});
