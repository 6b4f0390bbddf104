import { afterAll, describe, expect, it } from 'vitest';
import {
  configMap,
  configMaps,
  gadget,
  gadgets,
  messageOf,
  metadataOf,
  realm,
  realms,
  widget,
  widgets,
  writePlane,
} from './write-plane.fixture.ts';

const plane = await writePlane({ controllers: false });
afterAll(() => plane[Symbol.dispose]());

describe('a created object', () => {
  it('has what the server decides, whatever the client says', async () => {
    const uid = '11111111-2222-3333-4444-555555555555';
    const given = {
      uid,
      selfLink: '/x',
      generation: 7,
      creationTimestamp: '2001-02-03T04:05:06Z',
      deletionTimestamp: '2001-02-03T04:05:06Z',
      deletionGracePeriodSeconds: 3,
    };
    const metadata = metadataOf(await plane.ask('POST', widgets, widget('decided', { metadata: given })));
    expect(metadata).toMatchObject({
      name: 'decided',
      namespace: 'default',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:01Z',
    });
    expect(Object.keys(metadata)).not.toEqual(expect.arrayContaining(['selfLink']));
    expect(metadata['deletionTimestamp'] ?? metadata['deletionGracePeriodSeconds']).toBeUndefined();
    expect(metadata['uid']).toMatch(/^[0-9a-f-]{36}$/);
    expect(metadata['uid']).not.toBe(uid);
  });

  it('has a status only where there is no subresource for it', async () => {
    const status = { phase: 'x' };
    expect((await plane.ask('POST', widgets, widget('status', { status }))).body['status']).toBeUndefined();
    expect((await plane.ask('POST', gadgets, gadget('status', { status }))).body['status']).toEqual(status);
  });

  it('is in the namespace of the path, or in none', async () => {
    const elsewhere = await plane.ask('POST', configMaps, configMap('x', { metadata: { namespace: 'other' } }));
    expect([elsewhere.status, messageOf(elsewhere)]).toEqual([
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ]);
    const stray = await plane.ask('POST', realms, realm('stray', { metadata: { namespace: 'other' } }));
    expect([stray.status, metadataOf(stray)['namespace']]).toEqual([201, undefined]);
  });

  it.each([
    ['5', 500, 'resourceVersion should not be set on objects to be created'],
    ['0', 201, undefined],
    ['x', 201, undefined],
  ])('with resourceVersion %j: %i', async (resourceVersion, status, message) => {
    const answer = await plane.ask(
      'POST',
      configMaps,
      configMap(`rv-${resourceVersion}`, { metadata: { resourceVersion } }),
    );
    expect([answer.status, messageOf(answer)]).toEqual([status, message]);
  });

  it('does not replace another', async () => {
    await plane.ask('POST', widgets, widget('twice', { metadata: { finalizers: ['x.dev/f'] } }));
    const again = await plane.ask('POST', widgets, widget('twice'));
    expect([again.status, messageOf(again)]).toEqual([409, 'widgets.example.com "twice" already exists']);
    const dry = await plane.ask('POST', widgets, widget('twice', { metadata: { resourceVersion: '5' } }), {
      query: 'dryRun=All',
    });
    expect(dry.status).toBe(409);
    await plane.ask('DELETE', `${widgets}/twice`);
    expect(messageOf(await plane.ask('POST', widgets, widget('twice')))).toBe(
      'object is being deleted: widgets.example.com "twice" already exists',
    );
  });

  it('is not stored on a dry run', async () => {
    const revision = plane.api.revision;
    const dry = await plane.ask('POST', widgets, widget('dry'), { query: 'dryRun=All' });
    expect([dry.status, metadataOf(dry)['resourceVersion'], metadataOf(dry)['generation']]).toEqual([
      201,
      undefined,
      1,
    ]);
    expect(plane.api.revision).toBe(revision);
    expect((await plane.ask('GET', `${widgets}/dry`)).status).toBe(404);
  });
});

describe('a name that the server makes', () => {
  const made = (generateName: string) => plane.ask('POST', configMaps, { metadata: { generateName } });

  it('has five characters of the usual ones at its end, and at most 63', async () => {
    expect(metadataOf(await made('made-'))['name']).toMatch(/^made-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(metadataOf(await made('a'.repeat(250)))['name']).toMatch(/^a{58}[a-z0-9]{5}$/);
    const given = await plane.ask('POST', configMaps, configMap('given', { metadata: { generateName: 'made-' } }));
    expect(metadataOf(given)).toMatchObject({ name: 'given', generateName: 'made-' });
  });

  it('must be a name; a dash at the end of the prefix is not its end', async () => {
    const causes = async (prefix: string) =>
      ((await made(prefix)).body['details'] as { causes: { field: string }[] }).causes.map(({ field }) => field);
    expect(await causes('A')).toEqual(['metadata.generateName', 'metadata.name']);
    expect(await causes('-')).toEqual(['metadata.generateName', 'metadata.name']);
    expect(await causes('A-')).toEqual(['metadata.name']);
  });
});

describe('in a namespace', () => {
  it('that is not there, nothing is created', async () => {
    const answer = await plane.ask('POST', '/api/v1/namespaces/none/configmaps', configMap('Not A Name'));
    expect([answer.status, messageOf(answer), answer.body['details']]).toEqual([
      404,
      'namespaces "none" not found',
      { name: 'none', kind: 'namespaces' },
    ]);
  });

  it('that is going, nothing new is created, by whatever means', async () => {
    await plane.ask('POST', '/api/v1/namespaces', { metadata: { name: 'going' } });
    await plane.ask('DELETE', '/api/v1/namespaces/going');
    const paths = [
      '/api/v1/namespaces/going/configmaps',
      '/apis/coordination.k8s.io/v1/namespaces/going/leases',
    ] as const;
    const refusals = [
      await plane.ask('POST', paths[0], configMap('new')),
      await plane.apply(`${paths[0]}/new`, configMap('new')),
      await plane.ask('PUT', `${paths[1]}/new`, { metadata: { name: 'new' } }),
    ];
    for (const answer of refusals) {
      expect(answer.status).toBe(403);
      expect(messageOf(answer)).toMatch(
        /"new" is forbidden: unable to create new content in namespace going because it is being terminated$/,
      );
      expect(answer.body['details']).toMatchObject({
        name: 'new',
        causes: [
          {
            reason: 'NamespaceTerminating',
            message: 'namespace going is being terminated',
            field: 'metadata.namespace',
          },
        ],
      });
    }
    const nameless = await plane.ask('POST', paths[0], { metadata: { generateName: 'made-' } });
    expect(messageOf(nameless)).toMatch(/^configmaps "made-" is forbidden/);
  });
});

describe('size', () => {
  const large = (length: number) => ({ spec: { free: { x: 'a'.repeat(length) } } });

  it('of one write', async () => {
    const answer = await plane.ask('POST', widgets, widget('large', large(1_600_000)));
    expect([answer.status, messageOf(answer)]).toEqual([500, 'etcdserver: request is too large']);
    expect((await plane.ask('POST', widgets, widget('large', large(1_571_000)))).status).toBe(201);
    const more = await plane.merge(`${widgets}/large`, { spec: { free: { y: 'a'.repeat(10_000) } } });
    expect([more.status, messageOf(more)]).toEqual([500, 'etcdserver: request is too large']);
    expect((await plane.merge(`${widgets}/large`, { spec: { free: { x: 'small' } } })).status).toBe(200);
  });

  it('of many small writes together', async () => {
    await plane.ask('POST', widgets, widget('growing', { spec: { free: {} } }));
    const statuses: number[] = [];
    for (let i = 0; i < 16; i++) {
      const patch = { spec: { free: { [`k${i}`]: 'a'.repeat(100_000) } } };
      statuses.push((await plane.merge(`${widgets}/growing`, patch)).status);
    }
    expect(statuses).toEqual([...Array<number>(15).fill(200), 500]);
    // Managed fields are dropped only where that is what makes it fit.
    expect(metadataOf(await plane.ask('GET', `${widgets}/growing`))['managedFields']).toBeDefined();
  });
});
