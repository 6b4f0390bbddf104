/** The demo itself: does one thing after the other to the planes, and tells what comes of it, moment by moment. */
import {
  annotations,
  ConfigMap,
  Connector,
  type DurationMs,
  findCondition,
  HTTPProxy,
  KarmadaCluster,
  Namespace,
  objectKey,
  PropagationPolicy,
  ResourceBinding,
} from '@lifeline/core';
import { mirrorLabel } from '@lifeline/example-mirror';
import { bindingName } from '@lifeline/propagation';
import type { Fact, Moment } from './moment.ts';
import {
  copyOfName,
  type DemoPlanes,
  type Edge,
  edges,
  type Identity,
  type Project,
  projects,
  type Replica,
  replicas,
  settings as appSettings,
} from './planes.ts';
import { connectorStatus, verdictOf } from './truths.ts';

/** Between two acts nothing is done. */
const pauseMs: DurationMs = 2_000;
const restMs: DurationMs = 60_000;

/** The ConfigMap that every project has. */
export const settings = { namespace: 'default', name: 'settings' };

/** Where the hub keeps copies, and so the edges. */
const { namespace } = appSettings.target;
/** Objects that a hub replicator will put there one day; until then somebody does. */
export const connector = { namespace, name: 'office' };
export const proxy = { namespace, name: 'www' };
const policy = { namespace, name: 'to-the-edges' };

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
    () => create(planes, first, 'red'),
    () => create(planes, second, 'red'),
    () => edit(planes, first, 'blue'),
    () => meddle(planes, first, edges[0]),
    () => connectorStates(planes),
    () => statusUp(planes),
    () => rest(planes),
    () => kill(planes, second),
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
  await planes.run((somebody) => somebody.create('hub', Namespace, { metadata: { name: namespace } }));
  await planes.clock.run(planes.karmada.start());
  yield { what: 'join', edges };
  const isReady = (name: Edge): boolean =>
    findCondition(planes.api('hub').get(KarmadaCluster, { name })?.status?.conditions, 'Ready')?.status === 'True';
  for await (const edge of planes.asTheyCome('ready', edges, isReady)) yield { what: 'member ready', edge, ...took() };
  const resourceSelectors = [ConfigMap, Connector, HTTPProxy].map(({ apiVersion, kind }) => ({ apiVersion, kind }));
  const placement = { clusterAffinity: { clusterNames: [...edges] } };
  await planes.run((somebody) =>
    somebody.create('hub', PropagationPolicy, { metadata: policy, spec: { resourceSelectors, placement } }),
  );
  yield { what: 'policy', policy: objectKey(policy) };
}

async function* start(planes: DemoPlanes): Facts {
  const took = stopwatch(planes);
  for (const replica of replicas) planes.world.processes.start(replica);
  yield { what: 'replicas start', replicas };
  yield { what: 'leads', ...(await nextLeader(planes)), ...took() };
}

async function* create(planes: DemoPlanes, project: Project, value: string): Facts {
  const took = stopwatch(planes);
  const metadata = { ...settings, labels: { [mirrorLabel]: 'true' } };
  await planes.run((somebody) => somebody.create(project, ConfigMap, { metadata, data: { value } }));
  yield { what: 'create', project, value };
  yield* says(planes, { project, value, took });
}

async function* edit(planes: DemoPlanes, project: Project, value: string): Facts {
  const took = stopwatch(planes);
  yield await editNow(planes, project, value);
  yield* says(planes, { project, value, took });
}

async function editNow(planes: DemoPlanes, project: Project, value: string): Promise<Fact> {
  const target = { kind: ConfigMap, name: settings };
  await planes.run((somebody) => somebody.patch(project, target, { type: 'merge', body: { data: { value } } }));
  return { what: 'edit', project, value };
}

/** A member's copy is edited by hand: Karmada puts it right. */
async function* meddle(planes: DemoPlanes, project: Project, edge: Edge): Facts {
  const value = 'by hand';
  const was = planes.copyOf(project, settings, edge)?.data?.value ?? '';
  const took = stopwatch(planes);
  const target = { kind: ConfigMap, name: copyOfName(project, settings) };
  await planes.run((somebody) => somebody.patch(edge, target, { type: 'merge', body: { data: { value } } }));
  yield { what: 'meddle', edge, project, value };
  yield* says(planes, { project, value: was, took, on: [edge] });
}

/** A connector's status goes down as an annotation: there first, then flipped. */
async function* connectorStates(planes: DemoPlanes): Facts {
  const spec = { connectorClassName: 'iroh' };
  for (const ready of ['False', 'True'] as const) {
    const took = stopwatch(planes);
    const metadata = {
      ...connector,
      annotations: { [annotations.upstreamStatus]: JSON.stringify(connectorStatus(ready)) },
    };
    await planes.run((somebody) => somebody.apply('hub', Connector, { metadata, spec }));
    const verdict = verdictOf(planes.api('hub').get(Connector, connector));
    yield { what: 'annotate', connector: objectKey(connector), verdict };
    const isThere = (edge: Edge): boolean => verdictOf(planes.api(edge).get(Connector, connector)) === verdict;
    for await (const edge of planes.asTheyCome(verdict, edges, isThere)) {
      yield { what: 'reads', edge, verdict, ...took() };
    }
    if (ready === 'False') await planes.clock.advance(pauseMs);
  }
}

/** A proxy goes down; what each edge says of it comes back. */
async function* statusUp(planes: DemoPlanes): Facts {
  const took = stopwatch(planes);
  const spec = { hostnames: ['www.example.com'], rules: [{ backends: [{ endpoint: 'http://10.0.0.1' }] }] };
  await planes.run((somebody) => somebody.create('hub', HTTPProxy, { metadata: proxy, spec }));
  yield { what: 'proxy', proxy: objectKey(proxy) };
  const hasProxy = (edge: Edge): boolean => planes.api(edge).get(HTTPProxy, proxy) !== undefined;
  for await (const edge of planes.asTheyCome('the proxy', edges, hasProxy)) {
    yield { what: 'proxy arrives', edge, ...took() };
  }
  for (const [index, edge] of edges.entries()) {
    await planes.clock.advance(pauseMs);
    yield* report(planes, edge, `192.0.2.${index + 1}`);
  }
}

async function* report(planes: DemoPlanes, edge: Edge, address: string): Facts {
  const took = stopwatch(planes);
  const body = { status: { addresses: [{ type: 'IPAddress', value: address }] } };
  await planes.run((somebody) =>
    somebody.patch(edge, { kind: HTTPProxy, name: proxy, subresource: 'status' }, { type: 'merge', body }),
  );
  yield { what: 'status', edge, address };
  const name = { namespace, name: bindingName({ kind: HTTPProxy.kind, ...proxy }) };
  const isReported = (): boolean => {
    const items = planes.api('hub').get(ResourceBinding, name)?.status?.aggregatedStatus ?? [];
    return JSON.stringify(items.find(({ clusterName }) => clusterName === edge)?.status ?? {}).includes(address);
  };
  await planes.until(`${edge}'s status in the hub`, isReported);
  yield { what: 'reported', edge, address, ...took() };
}

async function* rest(planes: DemoPlanes): Facts {
  const before = planes.writes();
  await planes.clock.advance(restMs);
  const after = planes.writes();
  const [renewals, otherWrites] = [after.leases - before.leases, after.others - before.others];
  yield { what: 'rest', forMs: restMs, renewals, otherWrites };
}

/** The leader dies without a word, and at the same moment a project is edited. */
async function* kill(planes: DemoPlanes, project: Project): Facts {
  const took = stopwatch(planes);
  const leader = await leaderOf(planes);
  planes.world.processes.kill(leader.replica);
  yield { what: 'kill', ...leader };
  yield await editNow(planes, project, 'green');
  yield { what: 'leads', ...(await nextLeader(planes, leader)), ...took() };
  yield* says(planes, { project, value: 'green', took });
}

async function* remove(planes: DemoPlanes, project: Project): Facts {
  const took = stopwatch(planes);
  await planes.run((somebody) => somebody.delete(project, ConfigMap, settings));
  const source = planes.api(project).get(ConfigMap, settings);
  yield { what: 'delete', project, finalizers: source?.metadata.finalizers ?? [] };
  const isGone = (plane: Project | 'hub' | Edge): boolean =>
    plane === project
      ? planes.api(project).get(ConfigMap, settings) === undefined
      : planes.copyOf(project, settings, plane) === undefined;
  for await (const plane of planes.asTheyCome('gone', [project, 'hub', ...edges], isGone)) {
    yield { what: 'gone', plane, project, ...took() };
  }
}

async function* stop(planes: DemoPlanes): Facts {
  const took = stopwatch(planes);
  yield { what: 'stop', replicas: replicas.filter((replica) => planes.world.processes.isRunning(replica)) };
  await planes.stop();
  if (planes.leaseHolder() !== undefined) throw new Error('the Lease was not given back');
  const watches = planes.apis.reduce((sum, { openWatches }) => sum + openWatches, 0);
  yield { what: 'stopped', timers: planes.clock.pending, watches, ...took() };
}

interface Said {
  readonly project: Project;
  readonly value: string;
  readonly took: Stopwatch;
  /** Default: the hub and the edges. */
  readonly on?: readonly ('hub' | Edge)[];
}

/** Copies come to say what the project says. */
async function* says(planes: DemoPlanes, { project, value, took, on = ['hub', ...edges] }: Said): Facts {
  const isSaid = (plane: 'hub' | Edge): boolean => planes.copyOf(project, settings, plane)?.data?.value === value;
  for await (const plane of planes.asTheyCome(value, on, isSaid)) {
    yield { what: 'says', plane, project, value, ...took() };
  }
}

type Stopwatch = () => { readonly tookMs: DurationMs };

/** Tells the time since now. */
function stopwatch({ clock }: DemoPlanes): Stopwatch {
  const started = clock.monotonic();
  return () => ({ tookMs: clock.monotonic() - started });
}

interface Leader {
  readonly replica: Replica;
  readonly identity: Identity;
}

/** Waits until another than the former leader holds the Lease and knows it. */
async function nextLeader(planes: DemoPlanes, former?: Leader): Promise<Leader> {
  const isLed = async (): Promise<boolean> =>
    planes.leaseHolder() !== former?.identity && (await planes.leaders()).length > 0;
  await planes.until('one leads', isLed);
  return leaderOf(planes);
}

async function leaderOf(planes: DemoPlanes): Promise<Leader> {
  const [replica, ...others] = await planes.leaders();
  const identity = planes.leaseHolder();
  if (!replica || others.length > 0 || !identity) throw new Error('there is not one leader');
  return { replica, identity };
}
