import { absent, present } from '../pattern.ts';
import { defineCases } from '../test-case.ts';

const tooOld =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

/** Reading many. */
export const listCases = defineCases('lists', {
  'items come in the order of their names': async (t) => {
    const maps = await t.someConfigMaps(['b', 'a', 'a-b', 'a.b', 'c', 'a0']);
    t.equal(t.ok(await t.get(maps)).names, ['a', 'a-b', 'a.b', 'a0', 'b', 'c'], 'names');
  },

  'over all namespaces, items come by namespace and name': async (t) => {
    const [one, two] = [await t.newNamespace(), await t.newNamespace()];
    const label = { metadata: { labels: { case: t.id } } };
    for (const [namespace, name] of [
      [two, 'a'],
      [one, 'b'],
      [one, 'a'],
    ] as const) {
      t.ok(await t.create(`/api/v1/namespaces/${namespace}/configmaps`, t.configMap(name, label)), 201);
    }
    const list = t.ok(await t.get('/api/v1/configmaps', { query: { labelSelector: `case=${t.id}` } }));
    t.matches(list, {
      items: [
        { metadata: { namespace: one, name: 'a' } },
        { metadata: { namespace: one, name: 'b' } },
        { metadata: { namespace: two, name: 'a' } },
      ],
    });
  },

  'the resourceVersion of a list is at least that of its items, and grows': async (t) => {
    const maps = await t.someConfigMaps(['a']);
    const first = t.ok(await t.get(maps));
    const created = t.ok(await t.create(maps, t.configMap('b')), 201);
    const second = t.ok(await t.get(maps));
    t.is(
      BigInt(second.resourceVersion) >= BigInt(created.resourceVersion),
      'a list after a write is as new as the write',
    );
    t.is(BigInt(second.resourceVersion) > BigInt(first.resourceVersion), 'it grows');
  },

  'pages: limit, continue, remainingItemCount': async (t) => {
    const maps = await t.someConfigMaps(['a', 'b', 'c', 'd', 'e']);
    const first = t.ok(await t.get(maps, { query: { limit: 2 } }));
    t.equal(first.names, ['a', 'b'], 'first page');
    t.matches(first, { metadata: { continue: present, remainingItemCount: 3, resourceVersion: present } });
    t.ok(await t.create(maps, t.configMap('c1')), 201);
    t.ok(await t.delete(`${maps}/d`));
    const second = t.ok(
      await t.get(maps, { query: { limit: 2, continue: first.at('metadata', 'continue') as string } }),
    );
    t.equal(second.names, ['c', 'd'], 'the second page is of the moment of the first');
    t.equal(second.resourceVersion, first.resourceVersion, 'and says so');
    t.matches(second, { metadata: { remainingItemCount: 1 } });
    const third = t.ok(
      await t.get(maps, { query: { limit: 2, continue: second.at('metadata', 'continue') as string } }),
    );
    t.equal(third.names, ['e'], 'last page');
    t.matches(third, { metadata: { continue: absent, remainingItemCount: absent } });
    const whole = t.ok(await t.get(maps, { query: { limit: 5 } }));
    t.matches(whole, { metadata: { continue: absent, remainingItemCount: absent } });
  },

  'pages of custom resources, and without a limit the rest': async (t) => {
    const all = await t.widgets();
    for (const name of ['a', 'b', 'c']) t.ok(await t.create(all, t.widget(name)), 201);
    const first = t.ok(await t.get(all, { query: { limit: 1 } }));
    t.matches(first, { kind: 'WidgetList', metadata: { continue: present, remainingItemCount: 2 }, items: [present] });
    const rest = t.ok(await t.get(all, { query: { continue: first.at('metadata', 'continue') as string } }));
    t.equal(rest.names, ['b', 'c'], 'the rest');
  },

  'pages of a selection tell no remainder': async (t) => {
    const maps = await t.someConfigMaps(['a', 'b', 'c', 'd', 'e']);
    const query = { labelSelector: 'even=true', limit: 1 };
    const first = t.ok(await t.get(maps, { query }));
    t.equal(first.names, ['a'], 'first page');
    t.matches(first, { metadata: { continue: present, remainingItemCount: absent } });
    const second = t.ok(
      await t.get(maps, { query: { ...query, continue: first.at('metadata', 'continue') as string } }),
    );
    t.equal(second.names, ['c'], 'second page');
  },

  'a continue token that is none is refused': async (t) => {
    const maps = await t.someConfigMaps(['a', 'b']);
    t.refused(await t.get(maps, { query: { continue: 'nonsense' } }), {
      code: 400,
      reason: 'BadRequest',
      message: /^invalid continue token: continue key is not valid: /,
    });
    const first = t.ok(await t.get(maps, { query: { limit: 1 } }));
    t.refused(
      await t.get(maps, {
        query: {
          limit: 1,
          continue: first.at('metadata', 'continue') as string,
          resourceVersion: first.resourceVersion,
        },
      }),
      {
        code: 400,
        reason: 'BadRequest',
        message: 'specifying resource version is not allowed when using continue',
      },
    );
  },

  'a continue token expires with the history it needs': [
    'compact',
    async (t) => {
      const maps = await t.someConfigMaps(['a', 'b', 'c']);
      const first = t.ok(await t.get(maps, { query: { limit: 1 } }));
      t.ok(await t.create(maps, t.configMap('b1')), 201);
      await t.can.compact?.();
      const expired = await t.get(maps, { query: { limit: 1, continue: first.at('metadata', 'continue') as string } });
      t.refused(expired, { code: 410, reason: 'Expired', message: tooOld });
      t.matches(expired, { metadata: { continue: present } });
      const on = t.ok(
        await t.get(maps, { query: { limit: 2, continue: expired.at('metadata', 'continue') as string } }),
      );
      t.equal(on.names, ['b', 'b1'], 'the token of the refusal goes on with what is there now');
      t.is(BigInt(on.resourceVersion) > BigInt(first.resourceVersion), 'at a newer resourceVersion');
    },
  ],

  'resourceVersion=0 and NotOlderThan are served from any state that is new enough': async (t) => {
    const maps = await t.someConfigMaps(['a']);
    const created = t.ok(await t.create(maps, t.configMap('b')), 201);
    t.ok(await t.get(maps, { query: { resourceVersion: 0 } }));
    t.equal(
      t.ok(await t.get(maps, { query: { resourceVersion: created.resourceVersion } })).names,
      ['a', 'b'],
      'not older than',
    );
    t.equal(
      t.ok(
        await t.get(maps, {
          query: { resourceVersion: created.resourceVersion, resourceVersionMatch: 'NotOlderThan' },
        }),
      ).names,
      ['a', 'b'],
      'NotOlderThan',
    );
    t.ok(await t.get(`${maps}/a`, { query: { resourceVersion: 0 } }));
    t.matches(t.ok(await t.get(`${maps}/b`, { query: { resourceVersion: created.resourceVersion } })), {
      metadata: { name: 'b' },
    });
  },

  'resourceVersionMatch=Exact shows the past': async (t) => {
    const maps = await t.someConfigMaps(['a']);
    const { resourceVersion } = t.ok(await t.create(maps, t.configMap('b')), 201);
    t.ok(await t.delete(`${maps}/a`));
    t.ok(await t.merge(`${maps}/b`, { data: { x: '1' } }));
    const past = t.ok(await t.get(maps, { query: { resourceVersion, resourceVersionMatch: 'Exact' } }));
    t.equal(past.names, ['a', 'b'], 'names then');
    t.matches(past, { metadata: { resourceVersion }, items: [present, { data: absent }] });
    t.equal(t.ok(await t.get(maps)).names, ['b'], 'names now');
  },

  'an Exact list of a forgotten past is gone': [
    'compact',
    async (t) => {
      const maps = await t.someConfigMaps(['a']);
      const { resourceVersion } = t.ok(await t.get(maps));
      t.ok(await t.create(maps, t.configMap('b')), 201);
      await t.can.compact?.();
      t.refused(await t.get(maps, { query: { resourceVersion, resourceVersionMatch: 'Exact' } }), {
        code: 410,
        reason: 'Expired',
        message: 'The resourceVersion for the provided list is too old.',
      });
    },
  ],

  'a resourceVersion of the future is not waited for for ever': async (t) => {
    const maps = await t.someConfigMaps(['a']);
    const resourceVersion = '999999999999';
    // Each takes a few seconds.
    const [newer, exact, one] = await Promise.all([
      t.get(maps, { query: { resourceVersion, resourceVersionMatch: 'NotOlderThan' } }),
      t.get(maps, { query: { resourceVersion, resourceVersionMatch: 'Exact' } }),
      t.get(`${maps}/a`, { query: { resourceVersion } }),
    ]);
    for (const answer of [newer, exact, one]) {
      t.refused(answer, {
        code: 504,
        reason: 'Timeout',
        message: /^Timeout: Too large resource version: 999999999999, current: \d+$/,
        details: { retryAfterSeconds: 1 },
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      });
    }
  },

  'resourceVersions and matches that make no sense are refused': async (t) => {
    const maps = await t.configMaps();
    for (const [query, message] of [
      [
        { resourceVersionMatch: 'Exact' },
        'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
      ],
      [
        { resourceVersion: '0', resourceVersionMatch: 'Exact' },
        'resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
      ],
      [
        { resourceVersion: '1', resourceVersionMatch: 'Sometimes' },
        'resourceVersionMatch: Unsupported value: "Sometimes": supported values: "Exact", "NotOlderThan", ""',
      ],
    ] as const) {
      t.refused(await t.get(maps, { query }), {
        code: 422,
        reason: 'Invalid',
        message: `ListOptions.meta.k8s.io "" is invalid: ${message}`,
      });
    }
    t.refused(await t.get(maps, { query: { resourceVersion: 'x' } }), {
      code: 400,
      reason: 'BadRequest',
      message:
        'invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    });
    t.refused(await t.get(maps, { query: { resourceVersion: '-1' } }), { code: 400, reason: 'BadRequest' });
  },
});
