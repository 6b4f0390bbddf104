/** Users of the example app: they label ConfigMaps, edit them, take the label away, delete them, and call them what they like. */
import { mirrorLabel } from '@lifeline/example-mirror';
import { ConfigMap, isDeleting, type JsonObject, Lease, Namespace, type Random } from '@lifeline/core';
import { kubeconfig } from '@lifeline/k8s/testing';
import {
  type Act,
  type ActStep,
  type DrawnAct,
  type Metamorphosis,
  type Reincarnation,
  urlOf,
  type World,
} from '@lifeline/sim';
import { inTurn } from './in-turn.ts';
import { copies, markerOf, mirrorLease, target } from './mirror-subject.ts';
import { sourceKubeconfig } from './micro-app.ts';

interface Put {
  readonly plane: string;
  readonly name: string;
  readonly mirrored: boolean;
  readonly data: Readonly<Record<string, string>>;
}

async function apply(world: World, { plane, name, mirrored, data }: Put): Promise<void> {
  const { api } = world.plane(plane);
  const where = { namespace: 'default', name };
  await world.hands().until(() => !isDeletingNow(api.get(ConfigMap, where)));
  const body = { metadata: { labels: { [mirrorLabel]: mirrored ? 'true' : 'no' } }, data };
  // As people edit: a merge, and a create for what is not there.
  if (api.get(ConfigMap, where))
    await world.hands().patch(plane, { kind: ConfigMap, name: where }, { type: 'merge', body });
  else await world.hands().create(plane, ConfigMap, { ...body, metadata: { ...where, ...body.metadata } });
}

const isDeletingNow = (object: ConfigMap | undefined): boolean => object !== undefined && isDeleting(object);

const objectOf = (args: JsonObject): Put => args as unknown as Put;

export const mirrorActs: Readonly<Record<string, Act>> = {
  put: (world, args) => {
    const put = objectOf(args);
    return inTurn(world, `${put.plane} ${put.name}`, () => apply(world, put));
  },
  delete: (world, args) => {
    const { plane, name } = objectOf(args);
    return inTurn(world, `${plane} ${name}`, () =>
      world.hands().deleteAndWait(plane, ConfigMap, { namespace: 'default', name }),
    );
  },
  /** The same name, another uid: at once and by force, or when whoever holds the old one has let go. */
  reincarnate: (world, args) => {
    const put = objectOf(args);
    const name = { namespace: 'default', name: put.name };
    return inTurn(world, `${put.plane} ${put.name}`, async () => {
      if (args['force'] === true && world.plane(put.plane).api.get(ConfigMap, name))
        await world
          .hands()
          .patch(put.plane, { kind: ConfigMap, name }, { type: 'merge', body: { metadata: { finalizers: null } } });
      await world.hands().deleteAndWait(put.plane, ConfigMap, name);
      await apply(world, put);
    });
  },
  /** The project's kubeconfig goes, and comes back. */
  churn: async (world, args) => {
    const { plane } = objectOf(args);
    delete world.files[sourceKubeconfig(plane)];
    await world.clock.sleep(Number(args['awayMs']), world.signal);
    world.files[sourceKubeconfig(plane)] = kubeconfig(urlOf(plane));
  },
};

/** What is there before anybody starts. */
export async function prepare(world: World): Promise<void> {
  const { api } = world.plane(target);
  if (api.get(Namespace, { name: copies })) return;
  await world.hands().create(target, Namespace, { metadata: { name: copies } });
  // Somebody led before, and stopped in order: the first leader ever would wait for a whole lease.
  await world.hands().create(target, Lease, { metadata: mirrorLease, spec: { holderIdentity: '' } });
}

export interface Crowd {
  readonly sources: readonly string[];
  /** Objects of each source. */
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

/** The same names in every source, on purpose. */
export function drawActs(random: Random, { sources, objects, acts, stormMs }: Crowd): DrawnAct[] {
  return Array.from({ length: acts }, (_, index): DrawnAct => {
    const plane = sources[random.int(sources.length)] as string;
    const at = random.int(stormMs);
    const hostile = random.int(8) === 0;
    const name = hostile ? (hostileNames[random.int(hostileNames.length)] as string) : `o${random.int(objects)}`;
    const value = hostile ? (hostileValues[random.int(hostileValues.length)] as string) : `${index}`;
    const put = { plane, name, mirrored: true, data: { step: value, of: markerOf(plane) } };
    const drawn: DrawnAct = hostile ? { act: 'put', at, args: put, fault: 'F26' } : { act: 'put', at, args: put };
    switch (random.int(20)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
        return { ...drawn, args: { ...put, mirrored: false } };
      case 5:
      case 6:
      case 7:
        return { act: 'delete', at, args: { plane, name } };
      case 8:
      case 9:
        return { act: 'reincarnate', at, args: { ...put, force: random.int(2) === 0 }, fault: 'F18' };
      case 10:
        return { act: 'churn', at, args: { plane, awayMs: 1_000 + random.int(60_000) }, fault: 'F21' };
      default:
        return drawn;
    }
  });
}

/** The user's object of a cause, made anew by force with what it had. */
export const reincarnateMirrored: Reincarnation = ({ plane, name, kind }, { steps }) => {
  if (kind !== 'configmaps') return undefined;
  const put = steps.find(
    (step) => step.step === 'act' && step.args['plane'] === plane && step.args['name'] === name && step.act === 'put',
  );
  return put && { act: 'reincarnate', args: { ...put.args, mirrored: true, force: true } };
};

/** The object that an act is about. */
export const objectIn = ({ args }: ActStep): string => {
  const { plane, name } = objectOf(args);
  return `${plane} ${name}`;
};

/** What the last word on each object is, and which acts are about different ones. */
export const metamorphosis: Metamorphosis = {
  afresh: (acts) => {
    const last = new Map<string, ActStep>();
    for (const act of acts.toSorted((a, b) => Number(a.at) - Number(b.at)))
      if (act.act !== 'churn') last.set(objectIn(act), act.act === 'reincarnate' ? { ...act, act: 'put' } : act);
    return [...last.values()].filter(({ act }) => act !== 'delete');
  },
  independent: (a, b) => a.act !== 'churn' && b.act !== 'churn' && objectIn(a) !== objectIn(b),
};
