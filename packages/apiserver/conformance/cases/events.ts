import { absent, present } from '../pattern.ts';
import { defineCases } from '../test-case.ts';

/** Events have two faces and one store. */
export const eventCases = defineCases('events', {
  'an event of events.k8s.io is one of core too': async (t) => {
    const [core, group] = [await t.core('events'), await t.named('events.k8s.io/v1', 'events')];
    const namespace = await t.namespace();
    const body = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'a' },
      eventTime: '2026-01-02T03:04:05.123456Z',
      reportingController: 'x.dev/controller',
      reportingInstance: 'x-1',
      action: 'Doing',
      reason: 'Done',
      note: 'It was done.',
      type: 'Normal',
      regarding: { apiVersion: 'v1', kind: 'ConfigMap', name: 'c', namespace },
    };
    const created = t.ok(await t.create(group, body), 201);
    t.matches(created, {
      kind: 'Event',
      apiVersion: 'events.k8s.io/v1',
      note: 'It was done.',
      regarding: { name: 'c' },
      message: absent,
    });
    const seen = t.ok(await t.get(`${core}/a`));
    t.matches(seen, {
      kind: 'Event',
      apiVersion: 'v1',
      metadata: { uid: created.uid, resourceVersion: created.resourceVersion },
      message: 'It was done.',
      involvedObject: { kind: 'ConfigMap', name: 'c', namespace },
      reportingComponent: 'x.dev/controller',
      reportingInstance: 'x-1',
      eventTime: '2026-01-02T03:04:05.123456Z',
      action: 'Doing',
      reason: 'Done',
      type: 'Normal',
      note: absent,
      regarding: absent,
    });
    t.ok(await t.delete(`${core}/a`));
    t.refused(await t.get(`${group}/a`), {
      code: 404,
      reason: 'NotFound',
      message: 'events.events.k8s.io "a" not found',
    });
  },

  'an event of core is one of events.k8s.io too': async (t) => {
    const [core, group] = [await t.core('events'), await t.named('events.k8s.io/v1', 'events')];
    const namespace = await t.namespace();
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'a' },
      involvedObject: { kind: 'ConfigMap', namespace, name: 'c' },
      reason: 'R',
      message: 'M',
      type: 'Warning',
      count: 3,
      firstTimestamp: '2026-01-02T03:04:05Z',
      lastTimestamp: '2026-01-02T03:04:06Z',
      source: { component: 'x', host: 'h' },
    };
    t.ok(await t.create(core, event), 201);
    t.matches(t.ok(await t.get(`${group}/a`)), {
      kind: 'Event',
      apiVersion: 'events.k8s.io/v1',
      eventTime: null,
      note: 'M',
      regarding: { name: 'c' },
      deprecatedCount: 3,
      deprecatedFirstTimestamp: '2026-01-02T03:04:05Z',
      deprecatedLastTimestamp: '2026-01-02T03:04:06Z',
      deprecatedSource: { component: 'x', host: 'h' },
    });
    t.matches(t.ok(await t.merge(`${core}/a`, { count: 4 })), { count: 4 });
    t.matches(t.ok(await t.get(group)), {
      kind: 'EventList',
      apiVersion: 'events.k8s.io/v1',
      items: [{ deprecatedCount: 4 }],
    });
  },

  'events are watched under either face': async (t) => {
    const [core, group] = [await t.core('events'), await t.named('events.k8s.io/v1', 'events')];
    const namespace = await t.namespace();
    using one = await t.watch(core);
    using two = await t.watch(group);
    t.ok(
      await t.create(core, {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: 'a' },
        involvedObject: { kind: 'X', namespace, name: 'c' },
        message: 'M',
      }),
      201,
    );
    t.equal((await one.take(1))[0]?.object ?? null, { apiVersion: 'v1', message: 'M' }, 'in core');
    t.equal((await two.take(1))[0]?.object ?? null, { apiVersion: 'events.k8s.io/v1', note: 'M' }, 'in events.k8s.io');
  },

  'field selectors of events': async (t) => {
    const core = await t.core('events');
    const namespace = await t.namespace();
    for (const [name, involved, type] of [
      ['a', 'one', 'Normal'],
      ['b', 'two', 'Warning'],
    ] as const) {
      t.ok(
        await t.create(core, {
          apiVersion: 'v1',
          kind: 'Event',
          metadata: { name },
          involvedObject: { kind: 'X', namespace, name: involved, uid: `u-${name}` },
          type,
          reason: `R${name}`,
          source: { component: 'x' },
        }),
        201,
      );
    }
    for (const [fieldSelector, names] of [
      ['involvedObject.name=one', ['a']],
      ['involvedObject.kind=X,involvedObject.name=two', ['b']],
      ['type!=Normal', ['b']],
      ['reason=Ra', ['a']],
      ['involvedObject.uid=u-b', ['b']],
      ['source=x', ['a', 'b']],
    ] as const) {
      t.equal(t.ok(await t.get(core, { query: { fieldSelector } })).names, names, fieldSelector);
    }
  },

  'events are validated, more under their own group': async (t) => {
    const [core, group] = [await t.core('events'), await t.named('events.k8s.io/v1', 'events')];
    t.refused(
      await t.create(core, {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: 'a' },
        involvedObject: { kind: 'X', namespace: 'other', name: 'c' },
      }),
      {
        code: 422,
        reason: 'Invalid',
        causes: [{ field: 'involvedObject.namespace', message: /does not match event.namespace$/ }],
      },
    );
    const bare = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'a' },
      regarding: { kind: 'X', namespace: await t.namespace(), name: 'c' },
    };
    t.refused(await t.create(group, bare), {
      code: 422,
      reason: 'Invalid',
      causes: [{ field: 'eventTime', reason: 'FieldValueRequired' }, { field: 'type' }],
    });
    t.refused(await t.create(group, { ...bare, eventTime: '2026-01-02T03:04:05.000000Z' }), {
      code: 422,
      reason: 'Invalid',
      details: present,
    });
  },
});
