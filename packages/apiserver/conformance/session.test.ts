import { bodyOf, type Transport, type TransportRequest } from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { conformanceCases, reportLine, runConformance, Session, summary, type Target } from './index.ts';
import { defineCases } from './test-case.ts';

const encoder = new TextEncoder();
const established = JSON.stringify({
  type: 'MODIFIED',
  object: { metadata: { name: 'x' }, status: { conditions: [{ type: 'Established', status: 'True' }] } },
});

/** Says yes to everything, and knows nothing. */
const yesSayer: Transport = ({ method, url }) => {
  const { pathname, searchParams } = new URL(url);
  const creates = method === 'POST' && /customresourcedefinitions|\/namespaces$/.test(pathname);
  const watches = searchParams.has('watch');
  const body = watches ? (pathname.includes('customresourcedefinitions') ? `${established}\n` : '') : '{}';
  return Promise.resolve({ status: creates ? 201 : 200, headers: {}, body: bodyOf(encoder.encode(body)) });
};

const targetOf = (transport: Transport, target: Partial<Target> = {}): Target => ({
  transport,
  encoded: transport,
  baseUrl: 'https://plane.test',
  credentials: { admin: 'a', plain: 'p' },
  clock: new VirtualClock(),
  random: seeded('session'),
  can: { controllers: true, compact: async () => undefined, restart: async () => undefined },
  ...target,
});

describe('the suite', () => {
  it('has no case that a server without any sense passes', async () => {
    const results = await runConformance(targetOf(yesSayer), { cases: conformanceCases });
    expect(results.filter(({ outcome }) => outcome !== 'failed').map(({ name }) => name)).toEqual([]);
  });

  it('has one name for each case', () => {
    expect(new Set(conformanceCases.map(({ name }) => name)).size).toBe(conformanceCases.length);
  });

  it('skips what a target cannot do, and says what is missing', async () => {
    const cases = defineCases('theme', {
      'needs much': ['controllers', 'compact', 'rbac', async () => undefined],
      'needs nothing': async (t) => t.is(true, 'so it is'),
    });
    const target = targetOf(yesSayer, { credentials: {}, can: { controllers: false } });
    const results = await runConformance(target, { cases });
    expect(results.map(reportLine)).toEqual([
      'skipped theme: needs much (needs controllers, compact, rbac)',
      'ok      theme: needs nothing (1 checks)',
    ]);
    expect(summary(results)).toBe('1 passed, 0 failed, 1 skipped');
  });

  it('tells all that a case found, up to what ended it', async () => {
    const [testCase] = defineCases('theme', {
      'finds three faults': async (t) => {
        t.equal(1, 2, 'one');
        t.is(false, 'two');
        t.ok(await t.get('/x'), 404);
        t.is(false, 'never reached');
      },
    });
    const result = await new Session(targetOf(yesSayer)).run(testCase as NonNullable<typeof testCase>);
    expect(
      reportLine(result)
        .split('\n')
        .map((line) => line.trim()),
    ).toEqual([
      'FAILED  theme: finds three faults',
      'one: expected 2, got 1',
      'two: does not hold',
      'GET https://plane.test/x: expected 404, got 200 {}',
    ]);
  });

  it('removes what a case made, last first, finalizers included', async () => {
    const sent: string[] = [];
    const answers: Transport = (request, options) => {
      const made = request.method === 'POST' && !request.url.includes('customresourcedefinitions');
      if (/c1|parent|child/.test(request.url + text(request)))
        sent.push(`${request.method} ${new URL(request.url).pathname}`);
      if (made)
        return reply(201, {
          metadata: { name: (JSON.parse(text(request)) as { metadata: { name: string } }).metadata.name },
        });
      return request.method === 'DELETE'
        ? reply(200, { metadata: { finalizers: ['x.dev/f'] } })
        : yesSayer(request, options);
    };
    const [testCase] = defineCases('theme', {
      makes: async (t) => {
        await t.create('/parents', { metadata: { name: 'parent' } });
        await t.create('/children', { metadata: { name: 'child' } });
        await t.create('/children', { metadata: { name: 'child-tried' } }, { query: { dryRun: 'All' } });
      },
    });
    await new Session(targetOf(answers)).run(testCase as NonNullable<typeof testCase>);
    expect(sent).toEqual([
      'POST /parents',
      'POST /children',
      'POST /children',
      'DELETE /children/child',
      'PATCH /children/child',
      'DELETE /parents/parent',
      'PATCH /parents/parent',
    ]);
  });

  it('ends a watch that brings nothing, by its deadline', async () => {
    const clock = new VirtualClock();
    const silent: Transport = (request, options) =>
      request.url.includes('/silent')
        ? Promise.resolve({ status: 200, headers: {}, body: untilAborted(options.signal) })
        : yesSayer(request, options);
    const [testCase] = defineCases('theme', {
      waits: async (t) => {
        using watch = await t.watch('/silent');
        await watch.next();
      },
    });
    const result = await clock.run(
      new Session(targetOf(silent, { clock })).run(testCase as NonNullable<typeof testCase>),
    );
    expect(reportLine(result)).toContain('not done within 60000 ms');
    expect(clock.pending).toBe(0);
  });
});

const text = ({ body }: TransportRequest): string => new TextDecoder().decode(body);
const reply = (status: number, body: object): ReturnType<Transport> =>
  Promise.resolve({ status, headers: {}, body: bodyOf(encoder.encode(JSON.stringify(body))) });

async function* untilAborted(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  await new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  );
  yield new Uint8Array();
}
