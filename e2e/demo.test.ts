import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import {
  ConfigMap,
  Connector,
  findCondition,
  HTTPProxy,
  KarmadaCluster,
  Lease,
  type MonotonicMs,
  objectKey,
  parseKey,
  PropagationPolicy,
  ResourceBinding,
} from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { runDemo } from './demo/demo.ts';
import type { Moment } from './demo/moment.ts';
import { coloured, duration, instant, plain } from './demo/page.ts';
import type { DemoPlanes, PlaneName, Project } from './demo/planes.ts';
import { digits, verdictOf, verdicts } from './demo/truths.ts';

const settings = { namespace: 'default', name: 'settings' };
const edges = ['edge-1', 'edge-2'] as const;

/** The copies of a project's objects, found by what they say about themselves: their names and values. */
const copiesOf = (planes: DemoPlanes, plane: PlaneName, project: Project): [string, string | undefined][] =>
  planes
    .api(plane)
    .objects(ConfigMap)
    .filter(({ metadata: { annotations } }) => annotations?.['example.lifeline.dev/source-cluster'] === project)
    .map(({ metadata, data }) => [objectKey(metadata), data?.value]);

const valuesIn = (planes: DemoPlanes, plane: PlaneName, project: Project): (string | undefined)[] =>
  copiesOf(planes, plane, project).map(([, value]) => value);

/** What edges say of the proxy, as the hub has it: addresses by edge. */
const reports = (planes: DemoPlanes): Record<string, string> =>
  Object.fromEntries(
    planes
      .api('hub')
      .objects(ResourceBinding)
      .filter(({ spec }) => spec.resource.kind === 'HTTPProxy')
      .flatMap(({ status }) => status?.aggregatedStatus ?? [])
      .map(({ clusterName, status }) => [clusterName, (status as HTTPProxy['status'])?.addresses?.[0]?.value ?? '']),
  );

/** Holds every moment against the planes and the clock, as it is told. */
class Witness {
  readonly moments: Moment[] = [];
  /** The name of a project's copy in the hub: the same in every edge. */
  readonly #names = new Map<Project, string | undefined>();

  async see(moment: Moment, planes: DemoPlanes): Promise<void> {
    expect(moment.at).toBe(planes.clock.monotonic());
    await this.#compare(moment, planes);
    if ('tookMs' in moment) expect(moment.tookMs).toBeCloseTo(moment.at - this.#causeOf(moment), 6);
    this.moments.push(moment);
  }

  async #compare(moment: Moment, planes: DemoPlanes): Promise<void> {
    const hub = planes.api('hub');
    const lease = hub.get(Lease, { namespace: 'mirrors', name: 'example-mirror' });
    switch (moment.what) {
      case 'join':
        return expect(hub.objects(KarmadaCluster).map(({ metadata }) => metadata.name)).toEqual(moment.edges);
      case 'member ready':
        return expect(isReady(planes, moment.edge)).toBe(true);
      case 'policy':
        return expect(hub.get(PropagationPolicy, parseKey(moment.policy))).toBeDefined();
      case 'replicas start':
        expect(moment.replicas).toEqual(['a', 'b', 'c']);
        return expect(lease).toBeUndefined();
      case 'leads':
        expect(lease?.spec?.holderIdentity).toBe(moment.identity);
        expect(await planes.leaders()).toEqual([moment.replica]);
        return expect(planes.world.processes.isRunning(moment.replica)).toBe(true);
      case 'create':
        expect(valueIn(planes, moment.project)).toBe(moment.value);
        return expect(everyCopy(planes, moment.project)).toEqual([]);
      case 'edit':
        expect(valueIn(planes, moment.project)).toBe(moment.value);
        return expect(everyCopy(planes, moment.project)).not.toContain(moment.value);
      case 'says':
        return this.#compareCopy(moment, planes);
      case 'meddle':
        expect(moment.value).not.toBe(valueIn(planes, moment.project));
        return expect(valuesIn(planes, moment.edge, moment.project)).toEqual([moment.value]);
      case 'annotate': {
        const name = parseKey(moment.connector);
        expect(verdictOf(hub.get(Connector, name))).toBe(moment.verdict);
        const before = this.moments.some(({ what }) => what === 'annotate') ? 'offline: NotReady' : undefined;
        const known = edges.map((edge) => planes.api(edge).get(Connector, name));
        return expect(known.map((each) => each && verdictOf(each))).toEqual([before, before]);
      }
      case 'reads':
        return expect(planes.api(moment.edge).objects(Connector).map(verdictOf)).toEqual([moment.verdict]);
      case 'proxy':
        expect(hub.get(HTTPProxy, parseKey(moment.proxy))).toBeDefined();
        return expect(edges.flatMap((edge) => planes.api(edge).objects(HTTPProxy))).toEqual([]);
      case 'proxy arrives':
        return expect(planes.api(moment.edge).objects(HTTPProxy)).toHaveLength(1);
      case 'status':
        expect(planes.api(moment.edge).objects(HTTPProxy)[0]?.status?.addresses?.[0]?.value).toBe(moment.address);
        return expect(reports(planes)[moment.edge]).toBe('');
      case 'reported':
        return expect(reports(planes)[moment.edge]).toBe(moment.address);
      case 'rest':
        expect(moment.forMs).toBe(60_000);
        expect(kindsWritten(planes, moment.at - moment.forMs)).toEqual(Array(moment.renewals).fill('Lease'));
        expect(moment.otherWrites).toBe(0);
        expect(moment.renewals).toBeGreaterThanOrEqual(60 / 2.5);
        return expect(moment.renewals).toBeLessThanOrEqual(60 / 2);
      case 'kill':
        expect(planes.world.processes.isRunning(moment.replica)).toBe(false);
        return expect(lease?.spec?.holderIdentity).toBe(moment.identity);
      case 'delete': {
        const source = planes.api(moment.project).get(ConfigMap, settings);
        expect(source?.metadata.deletionTimestamp).toBeTypeOf('string');
        expect(source?.metadata.finalizers).toEqual(moment.finalizers);
        expect(moment.finalizers).toHaveLength(1);
        return expect(everyCopy(planes, moment.project)).toHaveLength(3);
      }
      case 'gone':
        if (moment.plane !== moment.project) return expect(copiesOf(planes, moment.plane, moment.project)).toEqual([]);
        // It is held until the hub's copy is gone: nobody can lose track of it.
        expect(this.#goneFrom(moment.project)).toContain('hub');
        return expect(planes.api(moment.project).get(ConfigMap, settings)).toBeUndefined();
      case 'stop':
        expect(planes.karmada.propagation.isRunning).toBe(true);
        return expect(moment.replicas).toEqual(
          ['a', 'b', 'c'].filter((name) => planes.world.processes.isRunning(name)),
        );
      case 'stopped':
        expect(lease?.spec?.holderIdentity).toBe('');
        expect([await planes.leaders(), planes.karmada.propagation.isRunning]).toEqual([[], false]);
        expect([moment.timers, moment.watches]).toEqual([0, 0]);
        return expect([planes.clock.pending, ...planes.apis.map(({ openWatches }) => openWatches)]).toEqual(
          Array(1 + planes.apis.length).fill(0),
        );
    }
  }

  #compareCopy({ plane, project, value, tookMs }: Extract<Moment, { what: 'says' }>, planes: DemoPlanes): void {
    const [copy, ...more] = copiesOf(planes, plane, project);
    expect([copy?.[1], more]).toEqual([value, []]);
    expect(value).toBe(valueIn(planes, project));
    if (plane === 'hub') this.#names.set(project, copy?.[0]);
    else expect(copy?.[0]).toBe(this.#names.get(project));
    // A few messages of up to 12 ms, and a few steps of Karmada; or a new leader first.
    const limitMs = this.moments.some(({ what }) => what === 'kill') ? 18_100 : 500;
    expect(tookMs).toBeLessThan(limitMs);
  }

  #goneFrom(project: Project): string[] {
    return this.moments.flatMap((each) => (each.what === 'gone' && each.project === project ? each.plane : []));
  }

  #causeOf(effect: Moment): MonotonicMs {
    const causes: Partial<Record<Moment['what'], readonly Moment['what'][]>> = {
      'member ready': ['join'],
      leads: ['replicas start', 'kill'],
      says: ['create', 'edit', 'meddle'],
      reads: ['annotate'],
      'proxy arrives': ['proxy'],
      reported: ['status'],
      gone: ['delete'],
      stopped: ['stop'],
    };
    const cause = this.moments.findLast(({ what }) => causes[effect.what]?.includes(what));
    if (!cause) return expect.unreachable(`${effect.what} comes of nothing`);
    return cause.at;
  }
}

const valueIn = (planes: DemoPlanes, project: Project): string | undefined =>
  planes.api(project).get(ConfigMap, settings)?.data?.value;

const everyCopy = (planes: DemoPlanes, project: Project): (string | undefined)[] =>
  (['hub', ...edges] as const).flatMap((plane) => valuesIn(planes, plane, project));

const isReady = (planes: DemoPlanes, name: string): boolean =>
  findCondition(planes.api('hub').get(KarmadaCluster, { name })?.status?.conditions, 'Ready')?.status === 'True';

/** Of each write to any plane since then, the kind of its object. */
const kindsWritten = (planes: DemoPlanes, since: number): string[] =>
  planes.world.audit.writes.filter(({ at }) => at > since).map(({ revision }) => revision.object.kind);

/** What a line says of its moment. */
const shown = [
  ...['project', 'plane', 'edge', 'replica', 'value', 'verdict', 'address', 'policy', 'connector'],
  ...['renewals', 'otherWrites', 'timers', 'watches'],
];

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
      for (const part of shown) {
        if (part in moment) expect(line).toContain(String(moment[part as keyof Moment]));
      }
      await witness.see(moment, planes);
    },
  });
  return { lines, moments: witness.moments };
}

describe('the demo', () => {
  const runs = new Map<string, Promise<Shown>>();
  /** One run of a seed, for all who want to see it. */
  function once(seed: string): Promise<Shown> {
    const run = runs.get(seed) ?? show(seed);
    runs.set(seed, run);
    return run;
  }

  it.each(['demo', '1', '2'])('says what is so, moment by moment: seed %s', async (seed) => {
    const { moments } = await once(seed);
    const says = ['says', 'says', 'says'];
    expect(moments.map(({ what }) => what)).toEqual([
      ...['join', 'member ready', 'member ready', 'policy', 'replicas start', 'leads'],
      ...['create', ...says, 'create', ...says, 'edit', ...says, 'meddle', 'says'],
      ...['annotate', 'reads', 'reads', 'annotate', 'reads', 'reads'],
      ...['proxy', 'proxy arrives', 'proxy arrives'],
      ...['status', 'reported', 'status', 'reported', 'rest'],
      ...['kill', 'edit', 'leads', ...says],
      ...['delete', 'gone', 'gone', 'gone', 'gone', 'stop', 'stopped'],
    ]);
    const gone = moments.flatMap((moment) => (moment.what === 'gone' ? moment.plane : []));
    expect(gone.toSorted()).toEqual(['edge-1', 'edge-2', 'hub', 'project-a']);
    expect(gone[0]).toBe('hub');
    // The Lease lasts 15 s, was renewed at most 2.4 s before, and followers look every 2 to 2.4 s.
    const takeover = moments.findLast(({ what }) => what === 'leads') as Moment & { tookMs: number };
    expect(takeover.tookMs).toBeGreaterThan(12_500);
    expect(takeover.tookMs).toBeLessThan(17_600);
  });

  it('is a function of its seed', async () => {
    expect((await show('1')).lines).toEqual((await once('1')).lines);
    expect((await once('1')).moments).not.toEqual((await once('2')).moments);
  });

  it('fits 100 columns, with no colour unless asked for', async () => {
    const { lines } = await once('demo');
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
    const { lines } = await once('demo');
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
