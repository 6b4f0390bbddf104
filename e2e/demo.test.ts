import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ConfigMap, Lease, type MonotonicMs } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { runDemo } from './demo/demo.ts';
import type { Moment } from './demo/moment.ts';
import { coloured, duration, instant, plain } from './demo/page.ts';
import type { DemoPlanes, Source } from './demo/planes.ts';
import { digits, verdicts } from './demo/truths.ts';

const settings = { namespace: 'default', name: 'settings' };

/** The copies of a source, found by what they say about themselves. */
const copiesOf = (planes: DemoPlanes, source: Source): ConfigMap[] =>
  planes.target
    .objects(ConfigMap)
    .filter(({ metadata: { annotations } }) => annotations?.['example.lifeline.dev/source-cluster'] === source);

/** Holds every moment against the planes and the clock, as it is told. */
class Witness {
  readonly moments: Moment[] = [];
  readonly #uids = new Map<string, string | undefined>();
  #configMapWrites = 0;

  async see(moment: Moment, planes: DemoPlanes): Promise<void> {
    const { clock } = planes.simulation;
    expect(moment.at).toBe(clock.monotonic());
    await this.#compare(moment, planes);
    if ('tookMs' in moment) expect(moment.tookMs).toBeCloseTo(moment.at - this.#causeOf(moment), 6);
    this.#configMapWrites = this.#countConfigMapWrites(planes);
    this.moments.push(moment);
  }

  async #compare(moment: Moment, planes: DemoPlanes): Promise<void> {
    const lease = planes.target.get(Lease, { namespace: 'mirrors', name: 'example-mirror' });
    switch (moment.what) {
      case 'replicas start':
        expect(moment.replicas).toEqual(['a', 'b', 'c']);
        return expect(lease).toBeUndefined();
      case 'leads':
        expect(lease?.spec?.holderIdentity).toBe(moment.identity);
        expect(await planes.leaders()).toEqual([moment.replica]);
        return expect(planes.simulation.process(moment.replica).dead).toBe(false);
      case 'create':
        expect(planes.source(moment.source).get(ConfigMap, settings)).toBeDefined();
        return expect(copiesOf(planes, moment.source)).toEqual([]);
      case 'back':
      case 'copied': {
        const [copy, ...more] = copiesOf(planes, moment.source);
        expect(more).toEqual([]);
        expect(`mirrors/${copy?.metadata.name}`).toBe(moment.copy);
        expect(copy?.data).toEqual(planes.source(moment.source).get(ConfigMap, settings)?.data);
        expect(copy?.metadata.uid).not.toBe(this.#uids.get(moment.source));
        this.#uids.set(moment.source, copy?.metadata.uid);
        // A few requests, of up to 25 ms each.
        return expect(moment.tookMs).toBeLessThanOrEqual(8 * 25);
      }
      case 'edit':
        expect(planes.source(moment.source).get(ConfigMap, settings)?.data).toEqual({ value: moment.value });
        return expect(copiesOf(planes, moment.source)[0]?.data).not.toEqual({ value: moment.value });
      case 'followed':
        return expect(copiesOf(planes, moment.source).map(({ data }) => data)).toEqual([{ value: moment.value }]);
      case 'delete copy':
        return expect(copiesOf(planes, moment.source)).toEqual([]);
      case 'rest':
        expect(moment.forMs).toBe(60_000);
        expect(this.#countConfigMapWrites(planes) - this.#configMapWrites).toBe(moment.otherWrites);
        expect(moment.otherWrites).toBe(0);
        expect(moment.renewals).toBeGreaterThanOrEqual(60 / 2.5);
        return expect(moment.renewals).toBeLessThanOrEqual(60 / 2);
      case 'kill':
        expect(planes.simulation.process(moment.replica).dead).toBe(true);
        return expect(lease?.spec?.holderIdentity).toBe(moment.identity);
      case 'delete source': {
        const source = planes.source(moment.source).get(ConfigMap, settings);
        expect(source?.metadata.deletionTimestamp).toBeTypeOf('string');
        expect(source?.metadata.finalizers).toEqual(moment.finalizers);
        expect(moment.finalizers).toHaveLength(1);
        return expect(copiesOf(planes, moment.source)).toHaveLength(1);
      }
      case 'copy gone':
        expect(copiesOf(planes, moment.source)).toEqual([]);
        // It is held until then: nobody can lose track of a copy.
        return expect(planes.source(moment.source).get(ConfigMap, settings)).toBeDefined();
      case 'released':
        return expect(planes.source(moment.source).get(ConfigMap, settings)).toBeUndefined();
      case 'stop':
        return expect(moment.replicas).toHaveLength(2);
      case 'stopped':
        expect(lease?.spec?.holderIdentity).toBe('');
        expect(await planes.leaders()).toEqual([]);
        expect([moment.timers, moment.watches]).toEqual([0, 0]);
        return expect([planes.simulation.clock.pending, ...planes.all.map((plane) => plane.openWatches())]).toEqual(
          Array(1 + planes.all.length).fill(0),
        );
    }
  }

  #causeOf(effect: Moment): MonotonicMs {
    const causes: Partial<Record<Moment['what'], readonly Moment['what'][]>> = {
      leads: ['replicas start', 'kill'],
      copied: ['create'],
      followed: ['edit'],
      back: ['delete copy'],
      'copy gone': ['delete source'],
      released: ['delete source'],
      stopped: ['stop'],
    };
    const cause = this.moments.findLast(({ what }) => causes[effect.what]?.includes(what));
    if (!cause) return expect.unreachable(`${effect.what} comes of nothing`);
    return cause.at;
  }

  #countConfigMapWrites(planes: DemoPlanes): number {
    return planes.all.flatMap(({ writes }) => writes).filter(({ kind }) => kind.id === ConfigMap.id).length;
  }
}

interface Shown {
  readonly lines: string[];
  readonly moments: readonly Moment[];
}

async function show(seed: string): Promise<Shown> {
  const lines: string[] = [];
  const witness = new Witness();
  await runDemo({
    seed,
    style: plain,
    print: (line) => lines.push(line),
    async seen(moment, planes) {
      const line = lines.at(-1) ?? '';
      expect(line.trimStart()).toMatch(new RegExp(`^${instant(moment.at)}  `));
      if ('tookMs' in moment) expect(line).toMatch(new RegExp(` ${duration(moment.tookMs)}$`));
      for (const part of ['source', 'replica', 'copy', 'value', 'renewals', 'otherWrites', 'timers', 'watches']) {
        if (part in moment) expect(line).toContain(String(moment[part as keyof Moment]));
      }
      await witness.see(moment, planes);
    },
  });
  return { lines, moments: witness.moments };
}

describe('the demo', () => {
  it.each(['demo', '1', '2', '3', '4'])('says what is so, moment by moment: seed %s', async (seed) => {
    const { moments } = await show(seed);
    expect(moments.map(({ what }) => what)).toEqual([
      ...['replicas start', 'leads'],
      ...['create', 'copied', 'create', 'copied', 'create', 'copied', 'create', 'copied'],
      ...['edit', 'followed', 'delete copy', 'back', 'rest'],
      ...['kill', 'edit', 'leads', 'followed'],
      ...['delete source', 'copy gone', 'released', 'stop', 'stopped'],
    ]);
    // The Lease lasts 15 s, was renewed at most 2.4 s before, and followers look every 2 to 2.4 s.
    const takeover = moments.findLast(({ what }) => what === 'leads') as Moment & { tookMs: number };
    expect(takeover.tookMs).toBeGreaterThan(12_500);
    expect(takeover.tookMs).toBeLessThan(17_600);
  });

  it('is a function of its seed', async () => {
    expect((await show('again')).lines).toEqual((await show('again')).lines);
    expect((await show('again')).moments).not.toEqual((await show('other')).moments);
  });

  it('fits 100 columns, with no colour unless asked for', async () => {
    const { lines } = await show('demo');
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
    expect(lines.filter((line) => /[^\x20-\x7e]/.test(line))).toEqual([]);
    const painted: string[] = [];
    await runDemo({ seed: 'demo', style: coloured, print: (line) => painted.push(line) });
    // eslint-disable-next-line no-control-regex -- these are what is taken off
    expect(painted.map((line) => line.replaceAll(/\u001b\[\d+m/g, ''))).toEqual(lines);
    expect(painted).not.toEqual(lines);
  });

  it('is a command that ends by itself', { timeout: 60_000 }, async () => {
    const script = join(import.meta.dirname, 'demo.ts');
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--conditions=@lifeline/source', script], {
      encoding: 'utf8',
      timeout: 50_000,
    });
    expect([status, stderr]).toEqual([0, '']);
    const { lines } = await show('demo');
    expect(stdout.split('\n').slice(0, lines.length)).toEqual(lines);
    expect(stdout.split('\n').slice(lines.length)).toEqual([
      '',
      expect.stringMatching(/^All of it took \S+ m?s of real time\.$/),
      '',
    ]);
  });
});

describe('what it says about documents', () => {
  it('digits: ours are those that were sent, and JavaScript alone loses one', () => {
    const { sent, ours, plain: javascript } = digits();
    expect(sent).toContain('9007199254740993');
    expect(ours).toBe(sent);
    expect(javascript).toBe('{"observedGeneration":9007199254740992}');
  });

  it('liveness: the annotation counts, and absent is not offline', () => {
    expect(verdicts()).toEqual([
      { of: 'the annotation says Ready', says: 'online' },
      { of: 'the annotation says not Ready', says: 'offline: NotReady' },
      { of: 'the annotation says not Ready, a stale status Ready', says: 'offline: NotReady' },
      { of: 'there is no such connector', says: 'unknown: ConnectorNotFound' },
    ]);
  });
});
