import { Connector, ConnectorClass, connectorMessages, Lease } from '@lifeline/core';
import { Refusal, type ScriptedCall } from '@lifeline/k8s/testing';
import { describe, expect, it } from 'vitest';
import { className, namespace, type Plane, seconds, world } from './plane.fixture.ts';

const isTrue = { status: 'True', reason: 'ConnectorReady' };
const isFalse = (message: string) => ({ status: 'False', reason: 'ConnectorNotReady', message });

const forbids =
  (...verbs: readonly ScriptedCall['verb'][]) =>
  ({ kind, verb }: ScriptedCall): Refusal | undefined =>
    kind.id === Lease.id && verbs.includes(verb)
      ? new Refusal({ code: 403, reason: 'Forbidden', message: 'leases are forbidden' })
      : undefined;

describe('a new connector', () => {
  it('is accepted, gets a Lease of its own name, and is not ready until its agent renews it', async () => {
    const { plane, clock, stop } = await world((p) => p.connector('a'));
    const connector = plane.api.get(Connector, { namespace, name: 'a' });
    expect(plane.accepted('a')).toMatchObject({ status: 'True', reason: 'Accepted', observedGeneration: 1 });
    expect(plane.ready('a')).toMatchObject({ ...isFalse(connectorMessages.leaseNeverRenewed), observedGeneration: 1 });
    expect(connector?.status?.leaseRef).toEqual({ name: 'a' });
    expect(plane.lease('a')).toMatchObject({
      metadata: {
        labels: { 'lifeline.dev/installation': 'test' },
        ownerReferences: [{ kind: 'Connector', name: 'a', uid: connector?.metadata.uid, controller: true }],
      },
      spec: { leaseDurationSeconds: 30 },
    });
    // One write each: the Lease, the status.
    expect(plane.writes.map(({ verb, kind }) => `${verb} ${kind.kind}`)).toEqual(['create Lease', 'apply Connector']);
    plane.renew('a');
    await clock.advance(100);
    expect(plane.ready('a')).toMatchObject(isTrue);
    await stop();
    expect(clock.pending).toBe(0);
  });

  it('W20: is ready without connection details; whether they can be used is for the edge to say', async () => {
    const { plane, clock, stop } = await world((p) => p.connector('a'));
    plane.renew('a');
    await clock.advance(100);
    expect(plane.ready('a')).toMatchObject(isTrue);
    expect(plane.api.get(Connector, { namespace, name: 'a' })?.status?.connectionDetails).toBeUndefined();
    await stop();
  });
});

describe('its class', () => {
  const spec = (name: string) => ({ spec: { connectorClassName: name } });

  it('absent: neither accepted nor ready, and no Lease; that changes when it comes', async () => {
    const { plane, clock, stop } = await world((p) => p.connector('a', spec('other')));
    expect(plane.accepted('a')).toMatchObject({ status: 'False', reason: 'ConnectorClassNotFound' });
    expect(plane.ready('a')).toMatchObject(isFalse(connectorMessages.notAccepted));
    expect(plane.lease('a')).toBeUndefined();
    plane.api.put(ConnectorClass, { metadata: { name: 'other' }, spec: { controllerName: 'x' } });
    await clock.advance(300);
    expect(plane.accepted('a')).toMatchObject({ status: 'True' });
    expect(plane.lease('a')).toBeDefined();
    await stop();
  });

  it('deleted: the connector is not accepted any more, and not ready', async () => {
    const { plane, clock, stop } = await world((p) => p.connector('a'));
    using _agent = plane.agent('a');
    await clock.advance(seconds(20));
    expect(plane.ready('a')).toMatchObject(isTrue);
    plane.api.remove(ConnectorClass, { name: className });
    await clock.advance(300);
    expect(plane.accepted('a')).toMatchObject({ status: 'False', reason: 'ConnectorClassNotFound' });
    expect(plane.ready('a')).toMatchObject(isFalse(connectorMessages.notAccepted));
    const writes = plane.writes.length;
    await clock.advance(seconds(60));
    expect(plane.writes).toHaveLength(writes);
    await stop();
  });

  it('no name: pending', async () => {
    const { plane, stop } = await world((p) => p.connector('a', spec('')));
    expect(plane.accepted('a')).toMatchObject({ status: 'False', reason: 'Pending' });
    await stop();
  });

  it('is looked for live before a connector that it accepted loses it: a cache may lag', async () => {
    const { plane, clock, stop } = await world((p) => p.connector('a'));
    using _agent = plane.agent('a');
    await clock.advance(seconds(20));
    plane.api.freeze(ConnectorClass);
    plane.api.put(ConnectorClass, { metadata: { name: 'other' }, spec: { controllerName: 'x' } });
    plane.connector('a', spec('other'));
    await clock.advance(seconds(5));
    expect(plane.accepted('a')).toMatchObject({ status: 'True', observedGeneration: 2 });
    expect(plane.ready('a')).toMatchObject({ ...isTrue, observedGeneration: 2 });
    await stop();
  });

  it('W26: its coming and going reaches its own connectors, and no others', async () => {
    const { plane, clock, reconciles, stop } = await world((p) => {
      p.connector('mine', spec('rare'));
      for (let i = 0; i < 50; i++) p.connector(`c${i}`);
    });
    await clock.advance(seconds(5));
    const before = await reconciles();
    plane.api.put(ConnectorClass, { metadata: { name: 'rare' }, spec: { controllerName: 'x' } });
    await clock.advance(300);
    expect(plane.accepted('mine')).toMatchObject({ status: 'True' });
    const after = await reconciles();
    expect(after - before).toBeLessThanOrEqual(3);
    plane.api.put(ConnectorClass, { metadata: { name: 'rare' }, spec: { controllerName: 'y' } });
    await clock.advance(300);
    expect(await reconciles()).toBe(after);
    await stop();
  });
});

describe('the Lease', () => {
  const owned = (plane: Plane, name: string): unknown => plane.lease(name)?.metadata.ownerReferences;

  it('W16: comes back when it was deleted', async () => {
    const { plane, clock, stop } = await world((p) => p.connector('a'));
    using _agent = plane.agent('a');
    await clock.advance(seconds(20));
    const uid = plane.lease('a')?.metadata.uid;
    plane.api.remove(Lease, { namespace, name: 'a' });
    await clock.advance(200);
    expect(plane.lease('a')?.metadata.uid).not.toBe(uid);
    expect(plane.lease('a')).toBeDefined();
    expect(plane.ready('a')).toMatchObject(isFalse(connectorMessages.leaseNeverRenewed));
    await clock.advance(seconds(10));
    expect(plane.ready('a')).toMatchObject(isTrue);
    await stop();
  });

  it('comes back when nobody was told that it was deleted', async () => {
    const { plane, clock, stop } = await world((p) => p.connector('a'));
    plane.renew('a');
    await clock.advance(seconds(60));
    expect(plane.ready('a')).toMatchObject(isFalse(connectorMessages.leaseExpired));
    plane.api.dropEvents((_, { id }) => id === Lease.id);
    plane.api.remove(Lease, { namespace, name: 'a' });
    await clock.advance(seconds(1300));
    expect(plane.lease('a')).toBeDefined();
    await stop();
  });

  it('has its owner and its duration repaired, and nothing of the agent’s touched', async () => {
    const { plane, clock, stop } = await world((p) => p.connector('a'));
    plane.renew('a');
    await clock.advance(200);
    const lease = plane.lease('a') as Lease;
    const { leaseDurationSeconds, ...spec } = lease.spec ?? {};
    plane.api.put(Lease, { ...lease, metadata: { ...lease.metadata, ownerReferences: [] }, spec });
    await clock.advance(200);
    expect(plane.lease('a')?.spec).toEqual(lease.spec);
    expect(owned(plane, 'a')).toEqual(lease.metadata.ownerReferences);
    expect(leaseDurationSeconds).toBe(30);
    await stop();
  });

  it('keeps a duration that the agent chose', async () => {
    const { plane, clock, stop } = await world((p) => {
      p.connector('a');
      p.api.put(Lease, { metadata: { namespace, name: 'a' }, spec: { leaseDurationSeconds: 60 } });
    });
    plane.renew('a');
    await clock.advance(200);
    expect(plane.lease('a')?.spec?.leaseDurationSeconds).toBe(60);
    expect(owned(plane, 'a')).toMatchObject([{ kind: 'Connector', name: 'a', controller: true }]);
    await clock.advance(seconds(59));
    expect(plane.ready('a')).toMatchObject(isTrue);
    await clock.advance(seconds(7));
    expect(plane.ready('a')).toMatchObject(isFalse(connectorMessages.leaseExpired));
    await stop();
  });

  it('of a connector that was made anew under its name goes over to the new one', async () => {
    const { plane, clock, stop } = await world((p) => p.connector('a'));
    plane.connector('a', { metadata: { name: 'a', uid: 'another' } });
    await clock.advance(500);
    expect(owned(plane, 'a')).toMatchObject([{ uid: 'another', controller: true }]);
    await stop();
  });

  it('that something else controls is left alone', async () => {
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x', uid: 'u', controller: true };
    const { plane, clock, stop } = await world((p) => {
      p.connector('a');
      p.api.put(Lease, {
        metadata: { namespace, name: 'a', ownerReferences: [owner] },
        spec: { leaseDurationSeconds: 30 },
      });
    });
    await clock.advance(seconds(60));
    expect(owned(plane, 'a')).toEqual([owner]);
    expect(plane.writes.filter(({ kind }) => kind.id === Lease.id)).toEqual([]);
    await stop();
  });

  it.each([
    {
      name: 'its owner',
      spoil: (lease: Lease) => ({ ...lease, metadata: { ...lease.metadata, ownerReferences: [] } }),
    },
    { name: 'its duration', spoil: (lease: Lease) => ({ ...lease, spec: { renewTime: lease.spec?.renewTime } }) },
  ])('a write of our own is no renewal: $name repaired after a restart', async ({ spoil }) => {
    const { plane, clock, restart, stop } = await world((p) => p.connector('a'));
    plane.renew('a');
    await clock.advance(seconds(40));
    expect(plane.ready('a')).toMatchObject({ status: 'False' });
    const { lastTransitionTime } = plane.ready('a') ?? {};
    plane.api.put(Lease, spoil(plane.lease('a') as Lease));
    restart();
    await clock.advance(seconds(120));
    expect(plane.lease('a')?.spec?.leaseDurationSeconds).toBe(30);
    expect(owned(plane, 'a')).toHaveLength(1);
    expect(plane.ready('a')).toMatchObject({ status: 'False', lastTransitionTime });
    await stop();
  });
});

describe('readiness', () => {
  it('W15: goes with the renewals, and comes back with them', async () => {
    const { plane, clock, stop } = await world((p) => p.connector('a'));
    const agent = plane.agent('a');
    await clock.advance(seconds(600));
    expect(plane.ready('a')).toMatchObject(isTrue);
    agent[Symbol.dispose]();
    await clock.advance(seconds(19));
    expect(plane.ready('a')).toMatchObject(isTrue);
    await clock.advance(seconds(15));
    expect(plane.ready('a')).toMatchObject(isFalse(connectorMessages.leaseExpired));
    await clock.advance(seconds(3600));
    using _agent = plane.agent('a');
    await clock.advance(100);
    expect(plane.ready('a')).toMatchObject(isTrue);
    await stop();
  });

  it('W17: its time moves exactly when it flips', async () => {
    const { plane, clock, stop } = await world((p) => p.connector('a'));
    const agent = plane.agent('a');
    await clock.advance(100);
    const since = plane.ready('a')?.lastTransitionTime;
    expect(plane.accepted('a')?.lastTransitionTime).not.toBe('1970-01-01T00:00:00Z');
    await clock.advance(seconds(60));
    plane.connector('a', { spec: { connectorClassName: className, capabilities: [{ type: 'ConnectTCP' }] } });
    await clock.advance(300);
    expect(plane.ready('a')).toMatchObject({ lastTransitionTime: since, observedGeneration: 2 });
    agent[Symbol.dispose]();
    await clock.advance(seconds(60));
    expect(plane.ready('a')?.lastTransitionTime).not.toBe(since);
    await stop();
  });

  it.each([seconds(-3600), seconds(-45), seconds(45), seconds(86_400)])(
    'W18: the agent’s clock plays no part: %i ms off',
    async (skewMs) => {
      const { plane, clock, stop } = await world((p) => p.connector('a'));
      const agent = plane.agent('a', { skewMs });
      await clock.advance(seconds(300));
      expect(plane.ready('a')).toMatchObject(isTrue);
      agent[Symbol.dispose]();
      await clock.advance(seconds(35));
      expect(plane.ready('a')).toMatchObject(isFalse(connectorMessages.leaseExpired));
      await stop();
    },
  );

  it('a restart proves nothing: it stays as it is until a renewal comes, or a period passes', async () => {
    const { plane, clock, restart, stop } = await world((p) => {
      p.connector('alive');
      p.connector('silent');
    });
    using _agent = plane.agent('alive');
    plane.renew('silent');
    await clock.advance(seconds(15));
    const writes = plane.writes.length;
    restart();
    await clock.advance(seconds(29));
    expect(plane.ready('silent')).toMatchObject(isTrue);
    expect(plane.writes).toHaveLength(writes);
    await clock.advance(seconds(5));
    expect(plane.ready('silent')).toMatchObject(isFalse(connectorMessages.leaseExpired));
    expect(plane.ready('alive')).toMatchObject(isTrue);
    await stop();
  });

  it('an outage of the plane moves nothing, however long: nobody could renew', async () => {
    const { plane, clock, stop } = await world((p) => p.connector('a'));
    const agent = plane.agent('a');
    await clock.advance(seconds(25));
    agent[Symbol.dispose]();
    const writes = plane.writes.length;
    plane.api.endWatches({ error: new Error('connection reset') });
    plane.api.refuse = () => new Refusal({ code: 503, reason: 'ServiceUnavailable', message: 'down' });
    await clock.advance(seconds(300));
    plane.api.refuse = () => undefined;
    await clock.advance(seconds(29));
    expect(plane.ready('a')).toMatchObject(isTrue);
    using _agent = plane.agent('a');
    await clock.advance(seconds(120));
    expect(plane.ready('a')).toMatchObject(isTrue);
    expect(plane.writes).toHaveLength(writes);
    await stop();
  });

  it('a gap between two looks starts the period again', async () => {
    const { plane, clock, stop } = await world((p) => p.connector('a'));
    const agent = plane.agent('a');
    await clock.advance(seconds(21));
    // Last renewed at 21 s; looked at by 34 s, and then at 51 s.
    agent[Symbol.dispose]();
    await clock.advance(seconds(13));
    plane.api.endWatches({ error: new Error('connection reset') });
    plane.api.refuse = () => new Refusal({ code: 503, reason: 'ServiceUnavailable', message: 'down' });
    await clock.advance(seconds(6));
    plane.api.refuse = () => undefined;
    await clock.advance(seconds(26));
    expect(plane.ready('a')).toMatchObject(isTrue);
    using _agent = plane.agent('a');
    await clock.advance(seconds(60));
    expect(plane.ready('a')).toMatchObject(isTrue);
    await stop();
  });

  it('an agent that is gone after an outage has one period to come back', async () => {
    const { plane, clock, stop } = await world((p) => p.connector('a'));
    const agent = plane.agent('a');
    await clock.advance(seconds(25));
    agent[Symbol.dispose]();
    plane.api.endWatches({ error: new Error('connection reset') });
    plane.api.refuse = () => new Refusal({ code: 503, reason: 'ServiceUnavailable', message: 'down' });
    await clock.advance(seconds(300));
    plane.api.refuse = () => undefined;
    await clock.advance(seconds(30 + 33 + 35));
    expect(plane.ready('a')).toMatchObject(isFalse(connectorMessages.leaseExpired));
    await stop();
  });

  it.each([
    { fault: 'is refused', seconds: 60 },
    { fault: 'is refused', seconds: 40 },
    { fault: 'hangs', seconds: 60 },
    { fault: 'hangs', seconds: 32 },
  ])(
    'an outage over which the watch stays open: $seconds s in which everything $fault',
    async ({ fault, ...outage }) => {
      const { plane, clock, stop } = await world((p) => p.connector('a'));
      const agent = plane.agent('a');
      await clock.advance(seconds(25));
      const writes = plane.writes.length;
      agent[Symbol.dispose]();
      if (fault === 'hangs') plane.stalled = clock.sleep(seconds(outage.seconds));
      else plane.api.refuse = () => new Refusal({ code: 503, reason: 'ServiceUnavailable', message: 'away' });
      await clock.advance(seconds(outage.seconds));
      plane.api.refuse = () => undefined;
      // The agent takes its time, too.
      await clock.advance(seconds(25));
      using _agent = plane.agent('a');
      await clock.advance(seconds(120));
      expect(plane.ready('a')).toMatchObject(isTrue);
      expect(plane.writes).toHaveLength(writes);
      await stop();
    },
  );

  it('connectors that go silent together end one after the other: expiry and up to a tenth', async () => {
    const names = Array.from({ length: 100 }, (_, i) => `c${i}`);
    const { plane, clock, stop } = await world((p) => names.forEach((name) => p.connector(name)));
    await clock.advance(seconds(5));
    for (const name of names) plane.renew(name);
    await clock.advance(seconds(29.9));
    const ended = (): number => names.filter((name) => plane.ready(name)?.status === 'False').length;
    expect(ended()).toBe(0);
    await clock.advance(seconds(1.6));
    expect(ended()).toBeGreaterThan(30);
    expect(ended()).toBeLessThan(70);
    await clock.advance(seconds(1.7));
    expect(ended()).toBe(100);
    await stop();
  });

  it('a renewal that comes while a write is under way is not lost', async () => {
    const { plane, clock, stop } = await world((p) => p.connector('a'));
    plane.renew('a');
    await clock.advance(seconds(20));
    expect(plane.ready('a')).toMatchObject(isTrue);
    let renewals = 0;
    plane.api.refuse = ({ kind, verb }) => {
      if (kind.id === Connector.id && verb === 'apply' && renewals++ === 0) plane.renew('a');
      return undefined;
    };
    await clock.advance(seconds(15));
    // It was ended, and came back by a renewal that was told before that write was answered.
    expect(renewals).toBe(2);
    expect(plane.ready('a')).toMatchObject(isTrue);
    await stop();
  });

  it.each(['blackhole', 'freeze'] as const)('a watch that tells nothing ends no connector: %s', async (fault) => {
    const { plane, clock, stop } = await world((p) => p.connector('a'));
    const agent = plane.agent('a');
    await clock.advance(seconds(25));
    const writes = plane.writes.length;
    if (fault === 'blackhole') plane.api.blackhole(true);
    else plane.api.freeze();
    await clock.advance(seconds(130));
    expect(plane.ready('a')).toMatchObject(isTrue);
    expect(plane.writes).toHaveLength(writes);
    // And a dead agent is found out all the same, by live reads. (A watch that goes silent is a gap in the end.)
    agent[Symbol.dispose]();
    await clock.advance(seconds(120));
    expect(plane.ready('a')).toMatchObject(isFalse(connectorMessages.leaseExpired));
    // What the watch tells late is old.
    plane.api.blackhole(false);
    plane.api.thaw();
    await clock.advance(seconds(300));
    expect(plane.ready('a')).toMatchObject(isFalse(connectorMessages.leaseExpired));
    expect(plane.writes).toHaveLength(writes + 1);
    await stop();
  });
});

describe('W14: a plane without Leases', () => {
  it('that does not serve them: accepted all the same, and nothing asked in a loop; ready once they are there', async () => {
    const { plane, clock, stop } = await world((p) => {
      p.api.unserve(Lease);
      p.connector('a');
    });
    expect(plane.accepted('a')).toMatchObject({ status: 'True' });
    expect(plane.ready('a')).toMatchObject({ status: 'False', reason: 'ConnectorNotReady' });
    const before = plane.api.requests.length;
    await clock.advance(seconds(600));
    expect(plane.api.requests.length - before).toBeLessThan(60);
    plane.api.serve(Lease);
    await clock.advance(seconds(330));
    using _agent = plane.agent('a');
    await clock.advance(200);
    expect(plane.ready('a')).toMatchObject(isTrue);
    await stop();
  });

  it('that stops serving them: Ready stays as it is', async () => {
    const { plane, clock, stop } = await world((p) => p.connector('a'));
    using _agent = plane.agent('a');
    await clock.advance(seconds(20));
    plane.api.unserve(Lease);
    await clock.advance(seconds(600));
    expect(plane.ready('a')).toMatchObject(isTrue);
    await stop();
  });

  it('that forbids to list and watch them: each is read once in a period', async () => {
    const { plane, clock, stop } = await world((p) => {
      p.connector('a');
      p.api.refuse = forbids('list', 'watch');
    });
    expect(plane.accepted('a')).toMatchObject({ status: 'True' });
    expect(plane.lease('a')).toBeDefined();
    const agent = plane.agent('a');
    await clock.advance(seconds(34));
    expect(plane.ready('a')).toMatchObject(isTrue);
    await clock.advance(seconds(300));
    expect(plane.ready('a')).toMatchObject(isTrue);
    agent[Symbol.dispose]();
    const before = plane.api.requests.length;
    await clock.advance(seconds(70));
    expect(plane.ready('a')).toMatchObject(isFalse(connectorMessages.leaseExpired));
    expect(plane.api.requests.length - before).toBeLessThan(12);
    await stop();
  });

  it('that forbids all of it: accepted, not ready, and tried again slowly', async () => {
    const { plane, clock, stop } = await world((p) => {
      p.connector('a');
      p.api.refuse = forbids('get', 'list', 'watch', 'create');
    });
    expect(plane.accepted('a')).toMatchObject({ status: 'True' });
    expect(plane.ready('a')).toMatchObject({ status: 'False' });
    const before = plane.api.requests.length;
    await clock.advance(seconds(600));
    expect(plane.api.requests.length - before).toBeLessThan(80);
    await stop();
  });

  it('that forbids to create them: the connector says that its Lease has not been created', async () => {
    const { plane, stop } = await world((p) => {
      p.connector('a');
      p.api.refuse = forbids('create');
    });
    expect(plane.accepted('a')).toMatchObject({ status: 'True' });
    expect(plane.ready('a')).toMatchObject(isFalse(connectorMessages.leaseNotCreated));
    await stop();
  });

  it('that forbids to create them for a while: they are made within a period of when it does not', async () => {
    const { plane, clock, stop } = await world((p) => {
      p.connector('a');
      p.api.refuse = forbids('create');
    });
    await clock.advance(seconds(100));
    plane.api.refuse = () => undefined;
    await clock.advance(seconds(34));
    expect(plane.lease('a')).toBeDefined();
    await stop();
  });

  it('that fails to list them: accepted all the same', async () => {
    const { plane, stop } = await world((p) => {
      p.connector('a');
      p.api.refuse = ({ kind, verb }) =>
        kind.id === Lease.id && (verb === 'list' || verb === 'watch')
          ? new Refusal({ code: 500, reason: 'InternalError', message: 'broken' })
          : undefined;
    });
    expect(plane.accepted('a')).toMatchObject({ status: 'True' });
    expect(plane.ready('a')).toMatchObject(isFalse(connectorMessages.leaseUnproven));
    await stop();
  });

  it('that forbids to create one again: the connector says that its Lease is gone', async () => {
    const { plane, clock, stop } = await world((p) => p.connector('a'));
    plane.renew('a');
    await clock.advance(200);
    plane.api.refuse = forbids('create');
    plane.api.remove(Lease, { namespace, name: 'a' });
    await clock.advance(200);
    expect(plane.ready('a')).toMatchObject(isFalse(connectorMessages.leaseNotFound));
    await stop();
  });
});

describe('W26: what it costs', () => {
  it('a heartbeat costs no request and no reconcile', async () => {
    const { plane, clock, reconciles, stop } = await world((p) => {
      for (let i = 0; i < 20; i++) p.connector(`c${i}`);
    });
    const agents = Array.from({ length: 20 }, (_, i) => plane.agent(`c${i}`));
    await clock.advance(seconds(5));
    const requests = plane.api.requests.length;
    const before = await reconciles();
    await clock.advance(seconds(240));
    expect(plane.api.requests.length).toBe(requests);
    // The floor alone: each once in ten minutes.
    expect((await reconciles()) - before).toBeLessThanOrEqual(12);
    expect(plane.ready('c7')).toMatchObject(isTrue);
    for (const agent of agents) agent[Symbol.dispose]();
    await stop();
  });

  it('what the agent writes into the status costs no reconcile either', async () => {
    const { plane, clock, reconciles, stop } = await world((p) => p.connector('a'));
    using _agent = plane.agent('a');
    await clock.advance(seconds(5));
    const before = await reconciles();
    for (let i = 0; i < 20; i++) {
      const { status } = plane.api.get(Connector, { namespace, name: 'a' }) ?? {};
      const publicKey = { id: 'ab'.repeat(32), homeRelay: `https://relay-${i}.example`, addresses: [] };
      plane.connector('a', { status: { ...status, connectionDetails: { type: 'PublicKey', publicKey } } });
      await clock.advance(100);
    }
    expect(await reconciles()).toBe(before);
    await stop();
  });

  it('a restart on a steady world writes nothing', async () => {
    const { plane, clock, restart, stop } = await world((p) => {
      for (let i = 0; i < 10; i++) p.connector(`c${i}`);
    });
    using _agent = plane.agent('c1');
    await clock.advance(seconds(50));
    const writes = plane.writes.length;
    restart();
    await clock.advance(seconds(1800));
    expect(plane.writes).toHaveLength(writes);
    await stop();
  });
});

describe('a connector that is deleted', () => {
  it('is forgotten, with its re-check', async () => {
    const { plane, clock, reconciles, stop } = await world((p) => p.connector('a'));
    using _agent = plane.agent('a');
    await clock.advance(seconds(5));
    plane.api.remove(Connector, { namespace, name: 'a' });
    await clock.advance(300);
    const before = await reconciles();
    const writes = plane.writes.length;
    await clock.advance(seconds(120));
    expect(await reconciles()).toBe(before);
    expect(plane.writes).toHaveLength(writes);
    await stop();
  });
});
