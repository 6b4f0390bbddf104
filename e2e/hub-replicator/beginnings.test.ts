/**
 * From an empty hub and from one that the Go system wrote; and again after a restart, a partition, a Namespace made anew: no connector's Ready
 * moves unless its agent's renewals began or stopped, no copy of an old uid survives, and no stale annotation stays.
 */
import {
  annotations,
  canonicalJson,
  ConfigMap,
  Connector,
  findCondition,
  HTTPProxy,
  isDeleting,
  type Kind,
  type KubeObject,
  labels,
  Lease,
  Namespace,
} from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { type Agent, nodeId } from './agent.ts';
import { copyAsGo } from './go-hub.ts';
import { condition, proxy, synced } from './objects.ts';
import { hub, minutes, Platform, seconds } from './world.ts';

const project = 'p1';
const namespace = 'shop';
const at = (name: string): { namespace: string; name: string } => ({ namespace, name });
const leaseMs = seconds(30);

/** A world in which one agent renews, one has stopped long ago, and one never began. */
class Shop {
  readonly platform = new Platform({ projects: [project], edges: ['e1'] });
  readonly agents = new Map<string, Agent>();

  async open(): Promise<void> {
    const { platform } = this;
    await platform.make(project, Namespace, { metadata: { name: namespace } });
    for (const name of ['alive', 'silent', 'never']) await platform.connector(project, name, namespace);
    await platform.make(project, HTTPProxy, proxy('web', { namespace, connector: 'alive' }));
    await platform.make(project, ConfigMap, synced('conf', { a: '1' }, namespace));
    const agent = this.agents.get('alive') ?? platform.agent(project, 'alive', { namespace });
    this.agents.set('alive', agent);
    agent.stop();
    agent.start();
    await platform.clock.settle();
  }

  /** As the Go system left connectors, Leases and the hub. */
  async asGoLeftIt(): Promise<void> {
    const { platform } = this;
    const details = {
      type: 'PublicKey',
      publicKey: { id: nodeId, homeRelay: 'https://relay.example/', addresses: [] },
    };
    const said = (ready: 'True' | 'False'): object => ({
      conditions: [
        condition('Accepted', 'True'),
        condition('Ready', ready, { reason: ready === 'True' ? 'ConnectorReady' : 'ConnectorNotReady' }),
      ],
      connectionDetails: details,
    });
    const ready = { alive: 'True', silent: 'False', never: 'False' } as const;
    for (const [name, word] of Object.entries(ready)) {
      await platform.status(project, { kind: Connector, name: at(name) }, { ...said(word), leaseRef: { name } });
      const spec = {
        holderIdentity: name,
        leaseDurationSeconds: 30,
        ...(name !== 'never' && { renewTime: '2025-12-31T23:00:00.000000Z' }),
      };
      await platform.make(project, Lease, { metadata: at(name), spec });
    }
    // The status of `alive` changed after it was copied, as the second seed has it; `silent` is the copy of an object of another life.
    await copyAsGo(platform, { project, kind: Connector, name: at('alive'), status: said('False') });
    await copyAsGo(platform, {
      project,
      kind: Connector,
      name: at('silent'),
      uid: '00000000-0000-4000-8000-000000000000',
    });
    await copyAsGo(platform, { project, kind: Connector, name: at('never') });
    await copyAsGo(platform, { project, kind: HTTPProxy, name: at('web'), status: { hostnames: ['old.example'] } });
    await copyAsGo(platform, {
      project,
      kind: ConfigMap,
      name: at('conf'),
      leftOvers: { data: { a: '0', gone: 'x' } },
    });
  }

  /** Each flip of a Ready that ours wrote, and what the agent had done. */
  expectHonestFlips(): void {
    const { platform } = this;
    const renewals = new Map<string, number[]>();
    for (const { at: when, plane, by, revision } of platform.world.audit.writes) {
      const { object, previous, type } = revision;
      const key = `${object.metadata.namespace}/${object.metadata.name}`;
      if (plane === project && object.kind === 'Lease' && by?.actor === 'agent')
        renewals.set(key, [...(renewals.get(key) ?? []), when]);
      if (object.kind !== 'Connector' || plane !== project || type !== 'MODIFIED' || by?.actor !== 'r1') continue;
      const [was, is] = [readyIn(previous), readyIn(object)];
      if (was === is || was === undefined) continue;
      const last = renewals.get(key)?.at(-1);
      if (is === 'True') expect(when - (last ?? -Infinity), `${key} became ready at ${when}`).toBeLessThan(seconds(3));
      else expect(when - (last ?? -Infinity), `${key} was given up at ${when}`).toBeGreaterThan(leaseMs);
    }
  }

  expectTruth(): void {
    const { platform } = this;
    for (const kind of [Connector, HTTPProxy, ConfigMap] as readonly Kind[]) {
      const upstream = platform
        .api(project)
        .objects(kind)
        .filter((each) => each.metadata.namespace === namespace && !isDeleting(each));
      for (const plane of [hub, 'e1']) {
        const copies = platform
          .api(plane)
          .objects(kind)
          .filter(
            ({ metadata }: KubeObject) =>
              metadata.labels?.[labels.upstreamKind] === kind.kind && !metadata.name.startsWith('anchor-'),
          );
        const uids = upstream.filter(isTravelling).map(({ metadata }) => metadata.uid);
        expect(copies.map(uidOf).sort(), `${kind.kind} in ${plane}`).toEqual(uids.sort());
      }
    }
    for (const name of ['alive', 'silent', 'never']) {
      const status = platform.api(project).get(Connector, at(name))?.status;
      for (const plane of [hub, 'e1']) {
        const marks = platform.copy(Connector, project, { ...at(name), plane })?.metadata.annotations;
        expect(marks?.[annotations.upstreamStatus], `${name} in ${plane}`).toBe(canonicalJson(status));
      }
    }
    const rest = platform.copy(HTTPProxy, project, at('web'))?.metadata.annotations ?? {};
    expect(Object.keys(rest)).not.toContain(annotations.upstreamStatus);
    expect(platform.copy(ConfigMap, project, at('conf'))?.data).toEqual({ a: '1' });
    expect(platform.ready(project, at('alive'))?.status).toBe('True');
    for (const name of ['silent', 'never']) expect(platform.ready(project, at(name))?.status).toBe('False');
  }
}

const uidOf = ({ metadata }: KubeObject): string | undefined => metadata.annotations?.[annotations.upstreamUid];

/** Of ConfigMaps only those that opted in. */
const isTravelling = ({ kind, metadata }: KubeObject): boolean =>
  kind !== 'ConfigMap' || metadata.labels?.[labels.gatewaySync] !== undefined;

const readyIn = (object: KubeObject | undefined): string | undefined =>
  findCondition((object as Connector | undefined)?.status?.conditions, 'Ready')?.status ?? undefined;

type Disturbance = (shop: Shop) => Promise<void>;
const disturbances: Readonly<Record<string, Disturbance>> = {
  'as it began': () => Promise.resolve(),
  'after a restart': async ({ platform }) => {
    platform.world.processes.start('r1');
    await platform.after(minutes(2));
  },
  'after five minutes without the project': async ({ platform }) => {
    const cut = platform.world.wires.cut(project);
    await platform.after(minutes(5));
    cut[Symbol.dispose]();
    await platform.after(minutes(4));
  },
  'after the Namespace was made anew': async (shop) => {
    const { platform } = shop;
    await platform.do(platform.world.hands('user').deleteAndWait(project, Namespace, { name: namespace }));
    await shop.open();
    await platform.after(minutes(2));
  },
};

describe.each(['an empty hub', 'a hub that the Go system wrote'])('from %s', (beginning) => {
  it.each(Object.keys(disturbances))('%s: what is said is true', async (disturbance) => {
    const shop = new Shop();
    await using platform = shop.platform;
    await platform.prepare();
    await shop.open();
    if (beginning !== 'an empty hub') await shop.asGoLeftIt();
    platform.startReplicas();
    await platform.after(minutes(2));
    shop.expectTruth();
    await disturbances[disturbance]?.(shop);
    shop.expectTruth();
    shop.expectHonestFlips();
    // What was ready all along never said anything else.
    if (beginning !== 'an empty hub' && !disturbance.includes('Namespace')) expect(flipsOf(platform, 'alive')).toBe(0);
  });
});

/** How often ours changed the word of a connector. */
const flipsOf = (platform: Platform, name: string): number =>
  platform.world.audit.writes.filter(({ by, revision: { object, previous } }) => {
    if (by?.actor !== 'r1' || object.kind !== 'Connector' || object.metadata.name !== name || !previous) return false;
    const [was, is] = [readyIn(previous), readyIn(object)];
    return was !== is;
  }).length;
