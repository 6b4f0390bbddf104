/** Statuses that the hub decides, on their way up, over whole planes. */
import { Backend, BackendTLSPolicy, type Condition } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { TransportError } from '@lifeline/k8s';
import { minutes, MirrorWorld, seconds } from './mirror-world.ts';

const name = { namespace: 'default', name: 'tls' };
const controllerName = 'lifeline.test/gateways';
const gateway = { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'web' };

const tlsPolicy: unknown = {
  metadata: name,
  spec: {
    targetRefs: [{ group: '', kind: 'Service', name: 'origin' }],
    validation: { hostname: 'origin.example', wellKnownCACertificates: 'System' },
  },
};

const accepted = (status: 'True' | 'False', more: object = {}): object => ({
  type: 'Accepted',
  status,
  reason: status === 'True' ? 'Accepted' : 'Odd',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
  ...more,
});

const statusOf = (world: MirrorWorld): BackendTLSPolicy['status'] =>
  world.project().get(BackendTLSPolicy, name)?.status;
const writesOfStatus = (world: MirrorWorld, since = 0): number =>
  world.writes(since).filter(({ path }) => path.includes('/status')).length;

describe('status up', () => {
  it.each([
    { at: 'v1', kind: BackendTLSPolicy },
    {
      at: 'v1alpha3',
      kind: {
        ...BackendTLSPolicy,
        version: 'v1alpha3',
        versions: ['v1alpha3'],
        apiVersion: 'gateway.networking.k8s.io/v1alpha3',
      },
    },
  ])('C07: what the hub says of a kind that the project serves in $at, and what it leaves unsaid', async ({ kind }) => {
    const others = [Backend];
    await using world = new MirrorWorld({ serves: { p1: [kind, ...others] } });
    const namespace = await world.namespace();
    await world.make(world.project(), BackendTLSPolicy, tlsPolicy);
    // As a predecessor left it, by an update: our entry with the hub's generation, and another controller's.
    const theirs = { ancestorRef: gateway, controllerName: 'theirs.example/c', conditions: [accepted('True')] };
    const left = {
      ancestorRef: { ...gateway, name: 'old' },
      controllerName,
      conditions: [accepted('True', { observedGeneration: 99 })],
    };
    await world.status(world.project(), { kind: BackendTLSPolicy, name }, { ancestors: [theirs, left] });
    world.start();
    await world.after(seconds(5));
    // No aggregate yet: what was said is not taken back, but unknown now.
    expect(statusOf(world)?.ancestors?.map(({ conditions }) => conditions?.[0]?.reason)).toEqual([
      'Accepted',
      'DownstreamStatusMissing',
    ]);

    const copy = { namespace, name: 'tls' };
    const generation = world.hub.get(BackendTLSPolicy, copy)?.metadata.generation;
    const entry = (condition: object): object => ({
      ancestors: [
        {
          ancestorRef: { ...gateway, namespace },
          controllerName: 'gateway.envoyproxy.io/gatewayclass-controller',
          conditions: [condition],
        },
      ],
    });
    const said = accepted('True', { observedGeneration: generation, message: `attached in ${namespace}` });
    await world.status(world.hub, { kind: BackendTLSPolicy, name: copy }, entry(said));
    await world.after(seconds(5));
    expect(statusOf(world)).toEqual({
      ancestors: [
        theirs,
        {
          ancestorRef: { ...gateway, namespace: 'default' },
          controllerName,
          conditions: [accepted('True', { observedGeneration: 1, message: 'attached in default' })],
        },
      ],
    });

    // A steady world, and an aggregate that goes and comes.
    const since = world.calls.length;
    await world.after(minutes(60));
    expect(world.writes(since)).toEqual([]);
    await world.status(world.hub, { kind: BackendTLSPolicy, name: copy }, { ancestors: [] });
    await world.after(minutes(60));
    const mine = (): Condition | undefined => statusOf(world)?.ancestors?.[1]?.conditions?.[0];
    expect(mine()).toMatchObject({ status: 'Unknown', reason: 'DownstreamStatusMissing', observedGeneration: 1 });
    expect(writesOfStatus(world, since)).toBe(1);
    await world.status(world.hub, { kind: BackendTLSPolicy, name: copy }, entry(said));
    await world.after(seconds(5));
    expect(mine()?.status).toBe('True');
    expect(world.writes().filter(({ plane, path }) => plane === 'hub' && path.includes('/status'))).toEqual([]);
  });

  it('a condition that the hub drops goes, one of another controller stays', async () => {
    await using world = new MirrorWorld();
    const namespace = await world.namespace();
    const target = { namespace: 'default', name: 'b' };
    const copy = { namespace, name: 'b' };
    await world.make(world.project(), Backend, {
      metadata: target,
      spec: { endpoints: [{ fqdn: { hostname: 'origin.example', port: 443 } }] },
    });
    const theirs = { ...accepted('True'), type: 'Theirs' };
    await world.status(world.project(), { kind: Backend, name: target }, { conditions: [theirs] });
    world.start();
    await world.after(seconds(5));
    const both = [accepted('True'), { ...accepted('True'), type: 'Merged' }];
    await world.status(world.hub, { kind: Backend, name: copy }, { conditions: both });
    await world.after(seconds(5));
    const types = (): readonly string[] | undefined =>
      world
        .project()
        .get(Backend, target)
        ?.status?.conditions?.map(({ type }) => type);
    expect(types()).toEqual(['Theirs', 'Accepted', 'Merged']);
    await world.status(world.hub, { kind: Backend, name: copy }, { conditions: both.slice(0, 1) });
    await world.after(seconds(5));
    expect(types()).toEqual(['Theirs', 'Accepted']);
  });

  it('says how long it took, from the change that was seen on the hub to the write upstream that succeeded', async () => {
    await using world = new MirrorWorld();
    const namespace = await world.namespace();
    const spec = { endpoints: [{ fqdn: { hostname: 'origin.example', port: 443 } }] };
    const copy = { kind: Backend, name: { namespace, name: 'b' } };
    await world.make(world.project(), Backend, { metadata: { namespace: 'default', name: 'b' }, spec });
    world.start();
    await world.after(seconds(5));
    const took = async (): Promise<readonly (string | undefined)[]> => {
      const text = await world.metrics.text();
      return ['sum', 'count'].map(
        (of) => new RegExp(`^lifeline_status_up_seconds_${of}\\{hop="hub-project"\\} (.*)$`, 'm').exec(text)?.[1],
      );
    };
    expect(await took()).toEqual([undefined, undefined]);
    let refusals = 2;
    world.wire('p1', ({ method, url }) =>
      method === 'PATCH' && url.includes('/status') && refusals-- > 0
        ? Promise.reject(new TransportError('connection-lost', 'cut'))
        : undefined,
    );
    await world.status(world.hub, copy, { conditions: [accepted('True')] });
    await world.after(seconds(5));
    const [sum, count] = await took();
    expect(count).toBe('1');
    expect(Number(sum)).toBeGreaterThan(0.1);
    expect(Number(sum)).toBeLessThan(5);
    // What moves nothing upstream, and what is not the status, took no time.
    await world.status(world.hub, copy, { conditions: [accepted('True', { observedGeneration: 7 })] });
    await world.patch(world.hub, copy, { metadata: { annotations: { theirs: 'x' } } });
    await world.after(minutes(15));
    expect((await took())[1]).toBe('1');
  });
});
