/** The demo itself: does one thing after the other to the planes, and tells what comes of it, moment by moment. */
import {
  annotations,
  Connector,
  type DurationMs,
  findCondition,
  HTTPProxy,
  KarmadaCluster,
  objectKey,
} from '@lifeline/core';
import { proxy as proxyObject, proxySpec } from '../hub-replicator/objects.ts';
import { connectorClass } from '../hub-replicator/world.ts';
import type { Fact, Moment } from './moment.ts';
import {
  agentEveryMs,
  connector,
  type DemoPlanes,
  type Downstream,
  downstream,
  type Edge,
  edges,
  type Project,
  projects,
  proxy,
  replicas,
  shardOfProject,
  servers,
  type Write,
} from './planes.ts';
import { areHeld, copyIn, proxyIn, readyIn, replicaOf, routeIn, shareOf, verdictIn, writesSince } from './sights.ts';
import { connectorStatus } from './truths.ts';

/** Between two acts nothing is done. */
const pauseMs: DurationMs = 2_000;
const restMs: DurationMs = 60_000;
/** A new holder that knew no better would call a connector not ready by then: the duration of its Lease. */
const provenMs: DurationMs = 30_000;

/** What Envoy answers in place of a tunnel that is down, and what it does when it is up. */
const offline = '503 Tunnel not online';
const online = 'tunnel to ';

const hostname = 'www.example.com';
const otherHostname = 'shop.example.com';

type Facts<R = void> = AsyncGenerator<Fact, R, undefined>;

/**
 * Time stands still while a moment is looked at: what it says can be seen in the planes right then.
 *
 * @throws Error when something that should follow does not
 */
export async function* story(planes: DemoPlanes): AsyncGenerator<Moment, void, undefined> {
  for await (const fact of facts(planes)) yield { ...fact, at: planes.clock.monotonic() };
}

async function* facts(planes: DemoPlanes): Facts {
  const [first, second] = projects;
  const acts: readonly (() => Facts)[] = [
    () => join(planes),
    () => start(planes),
    () => createConnector(planes, first),
    () => createProxy(planes, first),
    () => agentStarts(planes, first),
    () => sameNames(planes, first, second),
    () => meddle(planes, first),
    () => agentSilent(planes, first),
    () => agentStarts(planes, first),
    () => rest(planes),
    () => kill(planes, first),
    () => remove(planes, first),
  ];
  for (const act of acts) {
    yield* act();
    await planes.clock.advance(pauseMs);
  }
  yield* stop(planes);
}

/** Karmada starts, the edges become its members, and a policy sends them what the hub holds. */
async function* join(planes: DemoPlanes): Facts {
  const took = stopwatch(planes);
  await planes.platform.prepare();
  yield { what: 'join', edges };
  const isReady = (name: Edge): boolean =>
    findCondition(planes.api('hub').get(KarmadaCluster, { name })?.status?.conditions, 'Ready')?.status === 'True';
  for await (const edge of planes.asTheyCome('ready', edges, isReady)) yield { what: 'member ready', edge, ...took() };
}

async function* start(planes: DemoPlanes): Facts {
  const took = stopwatch(planes);
  planes.start();
  yield { what: 'replicas start', replicas };
  yield { what: 'servers start', servers };
  await planes.until('all shards are held', () => areHeld(planes, replicas));
  for (const replica of replicas) yield { what: 'holds', ...(await shareOf(planes, replica)), ...took() };
}

/** Nobody has renewed its Lease: it is not ready, and everybody reads so. */
async function* createConnector(planes: DemoPlanes, project: Project): Facts {
  const took = stopwatch(planes);
  const spec = { connectorClassName: connectorClass.metadata.name };
  await planes.run((somebody) => somebody.create(project, Connector, { metadata: connector, spec }));
  yield { what: 'create', project, kind: Connector.kind, key: objectKey(connector) };
  yield* turns(planes, { project, status: 'False', took });
}

async function* createProxy(planes: DemoPlanes, project: Project): Facts {
  const took = stopwatch(planes);
  const object = proxyObject(proxy.name, { connector: connector.name, hostname }) as HTTPProxy;
  await planes.run((somebody) => somebody.create(project, HTTPProxy, object));
  yield { what: 'create', project, kind: HTTPProxy.kind, key: objectKey(proxy) };
  const isThere = (plane: Downstream): boolean => {
    const { hostname: said, backend } = proxyIn(planes, project, plane);
    return said === hostname && backend !== '';
  };
  const isSo = (place: Downstream | EdgeRoute): boolean =>
    isRoute(place) ? routeIn(planes, project, edgeOf(place)).route.startsWith(offline) : isThere(place);
  for await (const place of planes.asTheyCome('the proxy', [...downstream, ...routes], isSo)) {
    if (isRoute(place)) yield { what: 'serves', ...routeIn(planes, project, edgeOf(place)), ...took() };
    else yield { what: 'arrives', ...proxyIn(planes, project, place), ...took() };
  }
}

async function* agentStarts(planes: DemoPlanes, project: Project): Facts {
  const took = stopwatch(planes);
  planes.agent.start();
  yield { what: 'agent starts', project, everyMs: agentEveryMs };
  yield* turns(planes, { project, status: 'True', took });
}

/** Another project uses the same names: it gets copies of its own. */
async function* sameNames(planes: DemoPlanes, project: Project, other: Project): Facts {
  const { mark } = planes.platform;
  yield* createConnector(planes, other);
  await planes.clock.advance(pauseMs);
  yield* createProxy(planes, other);
  const namespace = planes.platform.mapped(project);
  yield {
    what: 'untouched',
    project,
    writes: writesSince(planes, mark, ({ revision }) => revision.object.metadata.namespace === namespace),
  };
}

/** The hub's copy is edited by hand: the replicator puts it right. */
async function* meddle(planes: DemoPlanes, project: Project): Facts {
  const was = verdictIn(planes, project, 'hub');
  const took = stopwatch(planes);
  const target = { kind: Connector, name: { ...connector, namespace: planes.platform.mapped(project) } };
  const body = {
    metadata: { annotations: { [annotations.upstreamStatus]: JSON.stringify(connectorStatus('False')) } },
  };
  await planes.run((somebody) => somebody.patch('hub', target, { type: 'merge', body }));
  yield { what: 'meddle', project, verdict: verdictIn(planes, project, 'hub') };
  await planes.until('the copy is as it was', () => verdictIn(planes, project, 'hub') === was);
  yield { what: 'restored', project, verdict: was, ...took() };
}

async function* agentSilent(planes: DemoPlanes, project: Project): Facts {
  const took = stopwatch(planes);
  planes.agent.stop();
  yield { what: 'agent silent', project, sinceRenewalMs: planes.clock.monotonic() - (planes.agent.renewedAt ?? 0) };
  yield* turns(planes, { project, status: 'False', took });
}

async function* rest(planes: DemoPlanes): Facts {
  const took = stopwatch(planes);
  const { mark } = planes.platform;
  yield { what: 'rest', forMs: restMs };
  await planes.clock.advance(restMs);
  yield { what: 'wrote', ...planes.writes(mark), ...took() };
}

/** The replica that looks after a project dies without a word, and at the same moment the project is edited. */
async function* kill(planes: DemoPlanes, project: Project): Facts {
  const took = stopwatch(planes);
  const { mark } = planes.platform;
  const victim = await replicaOf(planes, project);
  const share = await shareOf(planes, victim);
  planes.world.processes.kill(victim);
  yield { what: 'kill', ...share };
  const body = { spec: proxySpec(connector.name, otherHostname) as Record<string, unknown> };
  await planes.run((somebody) => somebody.patch(project, { kind: HTTPProxy, name: proxy }, { type: 'merge', body }));
  yield { what: 'edit', project, key: objectKey(proxy), hostname: otherHostname };

  const [heir] = planes.running;
  if (!heir) throw new Error('no replica is left');
  const shard = shardOfProject(project);
  const holder = planes.shardHolders()[shard];
  const isTaken = async (): Promise<boolean> =>
    planes.shardHolders()[shard] !== holder && (await planes.shardsOf(heir)).includes(shard);
  await planes.until(`${heir} has taken shard ${shard}`, isTaken);
  yield { what: 'takes', replica: heir, project, shard, ...took() };
  const isSo = (place: Downstream | 'all'): boolean | Promise<boolean> =>
    place === 'all' ? areHeld(planes, [heir]) : proxyIn(planes, project, place).hostname === otherHostname;
  for await (const place of planes.asTheyCome('all shards, and the edit', ['all', ...downstream], isSo)) {
    if (place === 'all') yield { what: 'holds', ...(await shareOf(planes, heir)), ...took() };
    else yield { what: 'arrives', ...proxyIn(planes, project, place), ...took() };
  }
  await planes.clock.advance(provenMs);
  const ready = projects.map((each) => ({ project: each, status: readyIn(planes, each)?.status ?? '' }));
  const isOfConnector = ({ plane, revision }: Write): boolean =>
    projects.some((each) => each === plane) && revision.object.kind === Connector.kind;
  const writes = writesSince(planes, mark, isOfConnector);
  yield { what: 'unmoved', ready, writes, ...took() };
}

async function* remove(planes: DemoPlanes, project: Project): Facts {
  const took = stopwatch(planes);
  await planes.run((somebody) => somebody.delete(project, Connector, connector));
  const source = planes.api(project).get(Connector, connector);
  yield { what: 'delete', project, key: objectKey(connector), finalizers: source?.metadata.finalizers ?? [] };
  const isGone = (plane: Project | Downstream): boolean =>
    plane === project
      ? planes.api(project).get(Connector, connector) === undefined
      : copyIn(planes, project, plane as Downstream) === undefined;
  const isSo = (place: Project | Downstream | EdgeRoute): boolean =>
    isRoute(place) ? routeIn(planes, project, edgeOf(place)).route.startsWith(offline) : isGone(place);
  for await (const place of planes.asTheyCome('gone', [project, ...downstream, ...routes], isSo)) {
    if (isRoute(place)) yield { what: 'serves', ...routeIn(planes, project, edgeOf(place)), ...took() };
    else yield { what: 'gone', plane: place, project, ...took() };
  }
}

async function* stop(planes: DemoPlanes): Facts {
  const took = stopwatch(planes);
  yield { what: 'stop', replicas: planes.running };
  await planes.stop();
  if (planes.shardHolders().some((holder) => holder !== undefined)) throw new Error('a shard was not given back');
  const watches = planes.apis.reduce((sum, { openWatches }) => sum + openWatches, 0);
  yield { what: 'stopped', timers: planes.clock.pending, watches, ...took() };
}

interface Turn {
  readonly project: Project;
  readonly status: 'True' | 'False';
  readonly took: Stopwatch;
}

/** A connector becomes ready or not in its project, and all downstream come to read so. */
async function* turns(planes: DemoPlanes, { project, status, took }: Turn): Facts {
  await planes.until(`Ready is ${status} in ${project}`, () => readyIn(planes, project)?.status === status);
  const tookSince = stopwatch(planes);
  yield { what: 'ready', project, status, reason: readyIn(planes, project)?.reason ?? '', ...took() };
  const [verdict, route] = status === 'True' ? ['online', online] : ['offline: NotReady', offline];
  const isRead = (plane: Downstream): boolean => verdictIn(planes, project, plane) === verdict;
  const places = proxyIn(planes, project, 'hub').hostname === '' ? downstream : [...downstream, ...routes];
  const isSo = (place: Downstream | EdgeRoute): boolean =>
    isRoute(place) ? routeIn(planes, project, edgeOf(place)).route.startsWith(route) : isRead(place);
  for await (const place of planes.asTheyCome(verdict, places, isSo)) {
    if (isRoute(place)) yield { what: 'routes', ...routeIn(planes, project, edgeOf(place)), ...tookSince() };
    else yield { what: 'reads', plane: place, project, verdict, ...tookSince() };
  }
}

/** The routes of an edge, as a place of its own. */
type EdgeRoute = `route in ${Edge}`;
const routes: readonly EdgeRoute[] = edges.map((edge): EdgeRoute => `route in ${edge}`);
const isRoute = (place: string): place is EdgeRoute => place.startsWith('route in ');
const edgeOf = (place: EdgeRoute): Edge => place.slice('route in '.length) as Edge;

type Stopwatch = () => { readonly tookMs: DurationMs };

/** Tells the time since now. */
function stopwatch({ clock }: DemoPlanes): Stopwatch {
  const started = clock.monotonic();
  return () => ({ tookMs: clock.monotonic() - started });
}
