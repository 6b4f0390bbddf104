/** Users of the platform: they write what is replicated, label and unlabel it, delete it and make it anew; agents come and go; projects are away. */
import {
  isDeleting,
  JsonNumber,
  type JsonObject,
  type Kind,
  type KubeObject,
  labels,
  Project,
  type Random,
} from '@lifeline/core';
import type { Act, ActStep, DrawnAct, Reincarnation, World } from '@lifeline/sim';
import { Agent } from '../../hub-replicator/agent.ts';
import { condition } from '../../hub-replicator/objects.ts';
import { control } from '../../hub-replicator/world.ts';
import { inTurn } from '../in-turn.ts';
import { markerOf, usedKinds } from './subject.ts';

const agents = new WeakMap<World, Map<string, Agent>>();

function agentOf(world: World, project: string, name: string): Agent {
  const all = agents.get(world) ?? new Map<string, Agent>();
  agents.set(world, all);
  const key = `${project} ${name}`;
  const agent = all.get(key) ?? new Agent(world, { project, name, nodeId: nodeOf(project), skewMs: skewOf(project) });
  all.set(key, agent);
  return agent;
}

/** A node of a project's own: its digits are what other projects' values must not hold. */
const nodeOf = (project: string): string => (project === 'p1' ? '1' : '2').repeat(64);

/** Agents' clocks are off, on one side or the other. */
const skewOf = (project: string): number => (project === 'p1' ? -45_000 : 45_000);

interface Put {
  readonly plane: string;
  readonly kind: string;
  readonly name: string;
  readonly value: string;
  /** Of ConfigMaps: whether it is to travel. */
  readonly selected: boolean;
}

const kindOf = (name: string): Kind => usedKinds.find(({ kind }) => kind === name) as Kind;
const objectIn = ({ plane, kind, name }: Put): string => `${plane} ${kind} ${name}`;
const putOf = (args: JsonObject): Put => args as unknown as Put;

function contentOf({ plane, kind, value, selected }: Put): JsonObject {
  const of = markerOf(plane);
  switch (kind) {
    case 'ConfigMap':
      return {
        metadata: { labels: { [labels.gatewaySync]: selected ? 'true' : null } },
        data: { value, of },
      };
    case 'Connector':
      return { spec: { connectorClassName: 'tunnels', capabilities: [{ type: `${of}-${value.length}` }] } };
    case 'Backend':
      return { spec: { endpoints: [{ fqdn: { hostname: `${of}.example`, port: 1 + value.length } }] } };
    default:
      return {
        spec: {
          hostnames: [`${of}.example`],
          rules: [{ name: `v${value.length}`, backends: [{ endpoint: 'http://a.example' }] }],
        },
      };
  }
}

async function apply(world: World, put: Put): Promise<void> {
  const { plane, name } = put;
  const kind = kindOf(put.kind);
  const { api } = world.plane(plane);
  const where = { namespace: 'default', name };
  const isGoing = (object: KubeObject | undefined): boolean => object !== undefined && isDeleting(object);
  await world.hands().until(() => !isGoing(api.get(kind, where)));
  const content = contentOf(put);
  if (api.get(kind, where))
    return void (await world.hands().patch(plane, { kind, name: where }, { type: 'merge', body: content }));
  const { metadata, ...rest } = content as { metadata?: { labels: Record<string, string | null> } };
  const marks = Object.fromEntries(Object.entries(metadata?.labels ?? {}).filter(([, value]) => value !== null));
  await world.hands().create(plane, kind, { ...rest, metadata: { ...where, labels: marks } } as never);
}

export const replicatorActs: Readonly<Record<string, Act>> = {
  put: (world, args) => inTurn(world, objectIn(putOf(args)), () => apply(world, putOf(args))),
  /** It travels, and a little later it is not to travel any more. */
  unselect: (world, args) =>
    inTurn(world, objectIn(putOf(args)), async () => {
      await apply(world, { ...putOf(args), selected: true });
      await world.clock.sleep(5_000, world.signal);
      await apply(world, putOf(args));
    }),
  delete: (world, args) => {
    const { plane, kind, name } = putOf(args);
    return inTurn(world, objectIn(putOf(args)), () =>
      world.hands().deleteAndWait(plane, kindOf(kind), { namespace: 'default', name }),
    );
  },
  /** The same name, another uid: at once and by force, or when whoever holds the old one has let go. */
  reincarnate: (world, args) => {
    const put = putOf(args);
    const kind = kindOf(put.kind);
    const name = { namespace: 'default', name: put.name };
    return inTurn(world, objectIn(put), async () => {
      if (args['force'] === true && world.plane(put.plane).api.get(kind, name))
        await world
          .hands()
          .patch(put.plane, { kind, name }, { type: 'merge', body: { metadata: { finalizers: null } } });
      await world.hands().deleteAndWait(put.plane, kind, name);
      await apply(world, put);
    });
  },
  /** A connector's agent comes, or falls silent: not before a connector that is there has its details, whose end would not be the twin's. */
  agent: (world, args) =>
    inTurn(world, objectIn(putOf(args)), async () => {
      const { plane, name } = putOf(args);
      const agent = agentOf(world, plane, name);
      if (agent.isRunning) await agent.tell();
      agent.stop();
      if (args['runs'] === true) agent.start();
    }),
  /** A status says more, with numbers that doubles cannot hold; of a Backend, most of the time, nothing any more soon after. */
  tell: (world, args) => {
    const put = putOf(args);
    const { plane, name, value } = put;
    return inTurn(world, objectIn(put), async () => {
      const target = { kind: kindOf(put.kind), name: { namespace: 'default', name }, subresource: 'status' } as const;
      const say = async (status: unknown): Promise<void> => {
        const found = world.plane(plane).api.get(target.kind, target.name);
        if (!found || isDeleting(found)) return;
        await world.hands('agent').patch(plane, target, { type: 'merge', body: { status } });
      };
      const heard = condition('Heard', 'True', {
        message: `${value} ${markerOf(plane)}`,
        observedGeneration: new JsonNumber('9007199254740993'),
      });
      if (put.kind !== 'Backend') return say({ capabilities: [{ type: 'tcp', conditions: [heard] }] });
      const vanishes = value.length % 3 !== 0;
      if (vanishes) await apply(world, put);
      await say({ conditions: [heard] });
      if (!vanishes) return;
      // Long enough to be carried.
      await world.clock.sleep(10_000, world.signal);
      await say(null);
    });
  },
  /** The control plane says that a project's plane is not ready, and later that it is. */
  churn: (world, args) =>
    inTurn(world, `project ${putOf(args).plane}`, async () => {
      await projectReady(world, putOf(args).plane, false);
      await world.clock.sleep(Number(args['awayMs']), world.signal);
      await projectReady(world, putOf(args).plane, true);
    }),
};

export async function projectReady(world: World, name: string, ready: boolean): Promise<void> {
  const target = { kind: Project, name: { name }, subresource: 'status' } as const;
  const body = { status: { conditions: [condition('Ready', ready ? 'True' : 'False')] } } as JsonObject;
  await world.hands('operator').patch(control, target, { type: 'merge', body });
}

export interface Crowd {
  readonly projects: readonly string[];
  readonly objects: number;
  readonly acts: number;
  readonly stormMs: number;
}

const hostileNames = [`${'a'.repeat(240)}.z`, 'x.y.z', `a${'.b'.repeat(60)}`, '0'];
const hostileValues = [
  '9007199254740993',
  '{"a":1.0}',
  '\u2028\ud83d\ude42\u0000',
  ' ',
  '漢'.repeat(2_000),
  '__proto__',
];

const pick = <T>(random: Random, all: readonly T[]): T => all[random.int(all.length)] as T;

/** The same names in every project, on purpose. */
export function drawActs(random: Random, { projects, objects, acts, stormMs }: Crowd): DrawnAct[] {
  return Array.from({ length: acts }, (_, index): DrawnAct => {
    const plane = pick(random, projects);
    const at = random.int(stormMs);
    const kind = pick(random, ['ConfigMap', 'ConfigMap', 'Connector', 'Connector', 'HTTPProxy', 'Backend']);
    const hostile = random.int(8) === 0;
    const name = hostile ? pick(random, hostileNames) : `o${random.int(objects)}`;
    const value = hostile ? pick(random, hostileValues) : 'v'.repeat(1 + (index % 50));
    const put = { plane, kind, name, value, selected: random.int(4) > 1 };
    const drawn: DrawnAct = { act: 'put', at, args: put, ...(hostile && { fault: 'F26' }) };
    switch (random.int(20)) {
      case 0:
      case 1:
      case 2:
        return { act: 'delete', at, args: put };
      case 3:
      case 4:
        return { act: 'reincarnate', at, args: { ...put, force: random.int(2) === 0 }, fault: 'F18' };
      case 5:
        return { act: 'churn', at, args: { ...put, awayMs: 1_000 + random.int(60_000) }, fault: 'F21' };
      case 6:
      case 7:
      case 8:
        return { act: 'agent', at, args: { plane, kind: 'Connector', name, runs: random.int(3) > 0 } };
      case 9:
      case 10:
      case 11: {
        const told = pick(random, ['Connector', 'Backend']);
        return { act: 'tell', at, args: { plane, kind: told, name, value }, ...(hostile && { fault: 'F26' }) };
      }
      default:
        return kind === 'ConfigMap' && !put.selected ? { ...drawn, act: 'unselect' } : drawn;
    }
  });
}

export const reincarnatePut: Reincarnation = ({ plane, name, kind }, { steps }) => {
  const put = steps.find(
    (step) =>
      step.step === 'act' &&
      step.act === 'put' &&
      step.args['plane'] === plane &&
      step.args['name'] === name &&
      kindOf(putOf(step.args).kind).plural === kind,
  );
  return put && { act: 'reincarnate', args: { ...put.args, selected: true, force: true } };
};

/** The object that an act is about. */
export const subjectOf = ({ args }: ActStep): string => objectIn(putOf(args));
