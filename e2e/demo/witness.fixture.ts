/** Holds what the demo says against the planes, moment by moment. */
import {
  annotations,
  Backend,
  canonicalJson,
  classifyLiveness,
  ClusterPropagationPolicy,
  Connector,
  formatMicroTime,
  formatTime,
  Gateway,
  HTTPProxy,
  KarmadaCluster,
  keyOf,
  type KubeObject,
  later,
  Lease,
  parseKey,
  shardOf,
} from '@lifeline/core';
import { expect } from 'vitest';
import {
  allShards,
  connectorOf,
  copiesOf,
  downstream,
  everyCopy,
  everyVerdict,
  holdersOf,
  isReadyMember,
  lastWrite,
  office,
  proxyOf,
  readyOf,
} from './evidence.fixture.ts';
import type { Moment } from './moment.ts';
import type { DemoPlanes, PlaneName, Project, Replica } from './planes.ts';
import { verdictOf } from './truths.ts';

const finalizer = 'gateway.networking.datumapis.com/gateway-resource-replicator';

type Told<What extends Moment['what']> = Extract<Moment, { what: What }>;

/** Holds every moment against the planes and the clock, as it is told. */
export class Witness {
  readonly moments: Moment[] = [];
  /** Who the replicas are: an identity that no other process ever has. */
  readonly #identities = new Map<Replica, string | undefined>();

  async see(moment: Moment, planes: DemoPlanes): Promise<void> {
    expect(moment.at).toBe(planes.clock.monotonic());
    await this.#compare(moment, planes);
    if ('tookMs' in moment) expect(moment.tookMs).toBeCloseTo(moment.at - this.#causeOf(moment).at, 6);
    this.moments.push(moment);
  }

  async #compare(moment: Moment, planes: DemoPlanes): Promise<void> {
    const hub = planes.api('hub');
    const { processes } = planes.world;
    const verdictsOn = (plane: PlaneName, project: Project): string[] =>
      copiesOf(planes, { plane, project }, Connector).map(verdictOf);
    switch (moment.what) {
      case 'join':
        expect(hub.objects(KarmadaCluster).map(({ metadata }) => metadata.name)).toEqual(moment.edges);
        expect(hub.objects(ClusterPropagationPolicy)).toHaveLength(1);
        return expect(moment.edges.filter((edge) => isReadyMember(planes, edge))).toEqual([]);
      case 'member ready':
        return expect(isReadyMember(planes, moment.edge)).toBe(true);
      case 'replicas start':
        expect(moment.replicas).toEqual(['a', 'b']);
        return expect(hub.objects(Lease)).toEqual([]);
      case 'holds':
        return this.#compareShare(moment, planes);
      case 'create': {
        const kind = moment.kind === 'Connector' ? Connector : HTTPProxy;
        expect(planes.api(moment.project).get<KubeObject>(kind, parseKey(moment.key))).toBeDefined();
        return expect(everyCopy<KubeObject>(planes, moment.project, kind)).toEqual([]);
      }
      case 'ready': {
        const said = readyOf(planes, moment.project);
        expect([said?.status, said?.reason]).toEqual([moment.status, moment.reason]);
        expect(said?.lastTransitionTime).toBe(formatTime(planes.clock.now()));
        expect(everyVerdict(planes, moment.project)).not.toContain(verdictOfReady(moment));
        return this.#compareSilence(moment);
      }
      case 'reads':
        expect(moment.verdict).toBe(verdictOfReady(this.#causeOf(moment) as Told<'ready'>));
        expect(verdictsOn(moment.plane, moment.project)).toEqual([moment.verdict]);
        // A few messages of up to 12 ms, a few steps of Karmada, and 100 ms between two looks at one object.
        return expect(moment.tookMs).toBeLessThan(700);
      case 'servers start':
        expect(moment.servers).toEqual(['edge-1-x1', 'edge-1-x2', 'edge-2-x1', 'edge-2-x2']);
        return expect(moment.servers.filter((server) => !processes.isRunning(server))).toEqual([]);
      case 'routes':
      case 'serves': {
        const copies = copiesOf(planes, { plane: moment.edge, project: moment.project }, Gateway);
        const [key = ''] = copies.map(keyOf);
        const served = planes.world.edges.get(moment.edge)?.envoy(key).serve(moment.hostname);
        const [connector] = copiesOf(planes, { plane: moment.edge, project: moment.project }, Connector);
        const liveness = classifyLiveness(connector);
        if (liveness.state === 'online') {
          expect(served).toMatchObject({ tunnel: { nodeId: liveness.nodeId, target: 'app.internal:8080' } });
          expect(moment.route).toBe(`tunnel to ${liveness.nodeId.slice(0, 6)}`);
        } else {
          expect(served).toEqual({ status: 503, body: 'Tunnel not online', retryAfter: '5' });
          expect(moment.route).toBe('503 Tunnel not online');
        }
        // From the verdict in the project to the route at the edge.
        return expect(moment.tookMs).toBeLessThan(moment.what === 'routes' ? 1_000 : 2_000);
      }
      case 'arrives': {
        const proxies = copiesOf(planes, moment, HTTPProxy);
        expect(proxies.map(({ spec }) => spec)).toEqual([proxyOf(planes, moment.project)?.spec]);
        expect(proxies[0]?.spec.hostnames).toEqual([moment.hostname]);
        const hosts = copiesOf(planes, moment, Backend).map(({ spec }) => spec.endpoints?.[0]?.fqdn?.hostname);
        return expect(hosts).toEqual([moment.backend]);
      }
      case 'untouched': {
        expect(moment.writes).toBe(0);
        expect(everyVerdict(planes, 'project-a')).toEqual(downstream.map(() => 'online'));
        expect(everyVerdict(planes, 'project-b')).toEqual(downstream.map(() => 'offline: NotReady'));
        const other = this.moments.find((each) => each.what === 'create' && each.project !== moment.project);
        return expect(lastWrite(planes, everyCopy(planes, moment.project, Connector))).toBeLessThan(other?.at ?? 0);
      }
      case 'agent starts':
        return expect(moment.everyMs).toBe(10_000);
      case 'agent silent': {
        const renewTime = formatMicroTime(later(planes.clock.now(), -moment.sinceRenewalMs));
        expect(planes.api(moment.project).get(Lease, office)?.spec?.renewTime).toBe(renewTime);
        return expect(moment.sinceRenewalMs).toBeLessThanOrEqual(10_000);
      }
      case 'meddle':
        expect(readyOf(planes, moment.project)?.status).toBe('True');
        expect(moment.verdict).toBe('offline: NotReady');
        return expect(verdictsOn('hub', moment.project)).toEqual([moment.verdict]);
      case 'restored': {
        expect(verdictsOn('hub', moment.project)).toEqual([moment.verdict]);
        const status = canonicalJson(connectorOf(planes, moment.project)?.status);
        const copies = copiesOf(planes, { plane: 'hub', project: moment.project }, Connector);
        return expect(copies.map(({ metadata }) => metadata.annotations?.[annotations.upstreamStatus])).toEqual([
          status,
        ]);
      }
      case 'rest':
        return expect(moment.forMs).toBe(60_000);
      case 'wrote':
        return this.#compareWrites(moment, planes);
      case 'kill':
        expect(processes.isRunning(moment.replica)).toBe(false);
        expect(moment.projects).toContain('project-a');
        return expect(holdersOf(planes, moment.shards)).toEqual([this.#identities.get(moment.replica)]);
      case 'edit':
        expect(proxyOf(planes, moment.project)?.spec.hostnames).toEqual([moment.hostname]);
        return expect(
          everyCopy(planes, moment.project, HTTPProxy).flatMap(({ spec }) => spec.hostnames ?? []),
        ).not.toContain(moment.hostname);
      case 'takes':
        expect(moment.shard).toBe(shardOf(moment.project, allShards.length));
        expect(processes.isRunning(moment.replica)).toBe(true);
        expect(await planes.shardsOf(moment.replica)).toContain(moment.shard);
        return expect(holdersOf(planes, [moment.shard])).toEqual([this.#identities.get(moment.replica)]);
      case 'unmoved': {
        expect(moment.ready).toEqual([
          { project: 'project-a', status: 'True' },
          { project: 'project-b', status: 'False' },
        ]);
        const connectors = moment.ready.flatMap(({ project }) => planes.api(project).objects(Connector));
        expect(moment.tookMs).toBeGreaterThan(30_000);
        expect(lastWrite(planes, connectors)).toBeLessThan(this.#causeOf(moment).at);
        return expect(moment.writes).toBe(0);
      }
      case 'delete': {
        const source = planes.api(moment.project).get(Connector, parseKey(moment.key));
        expect(source?.metadata.deletionTimestamp).toBeTypeOf('string');
        expect([source?.metadata.finalizers, moment.finalizers]).toEqual([[finalizer], [finalizer]]);
        return expect(everyCopy(planes, moment.project, Connector)).toHaveLength(3);
      }
      case 'gone':
        // It is held until the hub's copy is gone: nobody can lose track of it.
        if (moment.plane === moment.project) expect(verdictsOn('hub', moment.project)).toEqual([]);
        return expect(
          moment.plane === moment.project
            ? connectorOf(planes, moment.project)
            : copiesOf(planes, moment, Connector)[0],
        ).toBeUndefined();
      case 'stop':
        expect(planes.karmada.propagation.isRunning).toBe(true);
        return expect(moment.replicas).toEqual(['a', 'b'].filter((name) => processes.isRunning(name)));
      case 'stopped':
        expect(holdersOf(planes, allShards)).toEqual(['']);
        expect(hub.objects(Lease)).toHaveLength(allShards.length);
        expect(planes.karmada.propagation.isRunning).toBe(false);
        expect([moment.timers, moment.watches]).toEqual([0, 0]);
        return expect([planes.clock.pending, ...planes.apis.map(({ openWatches }) => openWatches)]).toEqual(
          Array(1 + planes.apis.length).fill(0),
        );
    }
  }

  async #compareShare({ replica, shards, projects }: Told<'holds'>, planes: DemoPlanes): Promise<void> {
    expect(await planes.shardsOf(replica)).toEqual(shards);
    expect(projects).toEqual(
      ['project-a', 'project-b'].filter((project) => shards.includes(shardOf(project, allShards.length))),
    );
    const identity = this.#identities.get(replica) ?? holdersOf(planes, shards)[0];
    this.#identities.set(replica, identity);
    expect(shards.length > 0 ? holdersOf(planes, shards) : [undefined]).toEqual([identity]);
    const others = allShards.filter((shard) => !shards.includes(shard));
    expect(holdersOf(planes, others)).not.toContain(identity);
    expect(holdersOf(planes, others)).not.toContain('');
  }

  /** Not ready when the Lease of 30 s is over since it was renewed, a tenth of that and 2 s later at most. */
  #compareSilence(moment: Told<'ready'>): void {
    const cause = this.#causeOf(moment);
    if (cause.what !== 'agent silent') return;
    expect(cause.sinceRenewalMs + moment.tookMs).toBeGreaterThanOrEqual(30_000);
    expect(cause.sinceRenewalMs + moment.tookMs).toBeLessThanOrEqual(35_000);
  }

  #compareWrites(moment: Told<'wrote'>, planes: DemoPlanes): void {
    const { tookMs, leases, watermarks, carrying, others } = moment;
    const since = this.#causeOf(moment).at;
    expect(tookMs).toBeCloseTo(60_000, 6);
    const written = planes.world.audit.writes.filter(({ at }) => at > since);
    const named = written.map(({ plane, revision: { object } }) => `${object.kind} in ${plane}`);
    const count = (...names: string[]): number => named.filter((name) => names.includes(name)).length;
    expect(leases).toBe(count('Lease in hub', 'Lease in project-a'));
    expect(watermarks).toBe(count('ConfigMap in hub'));
    expect(carrying).toBe(count('ResourceBinding in hub', 'Work in hub', 'ConfigMap in edge-1', 'ConfigMap in edge-2'));
    expect([others, leases + watermarks + carrying]).toEqual([0, written.length]);
    // Six renewals by the agent; 6 shards and 2 replicas, each of which renews every 2 s, a tenth more or less.
    expect(count('Lease in project-a')).toBe(6);
    expect(leases).toBeGreaterThan(8 * (60 / 2.25));
    expect(leases).toBeLessThan(8 * (60 / 1.75));
    // Each replica that holds something, every 30 s.
    expect(watermarks).toBe(2 * 2);
  }

  /** What an effect comes of; itself when it comes of nothing. */
  #causeOf(effect: Moment): Moment {
    const causes: Partial<Record<Moment['what'], readonly Moment['what'][]>> = {
      'member ready': ['join'],
      holds: ['servers start', 'kill'],
      ready: ['create', 'agent starts', 'agent silent'],
      reads: ['ready'],
      routes: ['ready'],
      serves: ['create', 'delete'],
      arrives: ['create', 'edit'],
      restored: ['meddle'],
      wrote: ['rest'],
      takes: ['kill'],
      unmoved: ['kill'],
      gone: ['delete'],
      stopped: ['stop'],
    };
    const cause = this.moments.findLast(({ what }) => causes[effect.what]?.includes(what));
    return cause ?? expect.unreachable(`${effect.what} comes of nothing`);
  }
}

const verdictOfReady = ({ status }: Told<'ready'>): string => (status === 'True' ? 'online' : 'offline: NotReady');
