/** Project planes whose schemas are newer than the hub's: what the hub does not know is left out and said, and the rest is carried. */
import type { ApiServer } from '@lifeline/apiserver';
import { annotations, Connector, CustomResourceDefinition, HTTPProxy, type Kind, KubeEvent } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { minutes, MirrorWorld, seconds } from './mirror-world.ts';
import { onlineStatus, proxy } from './objects.ts';

const c1 = { namespace: 'default', name: 'c1' };
const web = { namespace: 'default', name: 'web' };

interface SchemaNode {
  type?: string;
  items?: SchemaNode;
  properties?: Record<string, SchemaNode>;
}

interface Extension {
  readonly kind: Kind;
  /** Names of properties, `*` for the items of a list. */
  readonly places: readonly (readonly string[])[];
  readonly type?: 'string' | 'integer' | undefined;
}

/** A plane's definition of a kind, with a field more at each of these places. */
async function extend(
  world: MirrorWorld,
  plane: ApiServer,
  { kind, places, type = 'string' }: Extension,
): Promise<void> {
  const name = { name: `${kind.plural}.${kind.group}` };
  const definition = structuredClone(plane.get(CustomResourceDefinition, name)) as unknown as {
    spec: { versions: { schema: { openAPIV3Schema: SchemaNode } }[] };
  };
  for (const { schema } of definition.spec.versions) {
    for (const place of places) {
      let at: SchemaNode = schema.openAPIV3Schema;
      for (const step of place.slice(0, -1)) at = (step === '*' ? at.items : at.properties?.[step]) ?? {};
      at.properties = { ...at.properties, [place.at(-1) ?? '']: { type } };
    }
  }
  await world.patch(plane, { kind: CustomResourceDefinition, name }, { spec: { versions: definition.spec.versions } });
}

const shortened = async (world: MirrorWorld): Promise<string | undefined> =>
  /^lifeline_mirror_shortened (\d+)$/m.exec(await world.metrics.text())?.[1];

const newer = {
  kind: Connector,
  places: [
    ['spec', 'extra'],
    ['spec', 'more'],
  ],
};

/** A connector with fields that the hub does not know. */
async function newerConnector(world: MirrorWorld): Promise<string> {
  const namespace = await world.namespace();
  await extend(world, world.project(), newer);
  await world.make(world.project(), Connector, {
    metadata: c1,
    spec: { connectorClassName: 'tunnel', extra: 'x', more: 'y' },
  });
  await world.status(world.project(), { kind: Connector, name: c1 }, onlineStatus('True'));
  world.start();
  await world.after(seconds(5));
  return namespace;
}

describe('a project plane with a newer schema than the hub', () => {
  it('has its liveness carried, and the owner and the operator hear what is left out', async () => {
    await using world = new MirrorWorld();
    const copy = { namespace: await newerConnector(world), name: 'c1' };
    expect(world.project().get(Connector, c1)?.spec).toMatchObject({ extra: 'x' });
    expect(world.hub.get(Connector, copy)?.spec).toEqual({ connectorClassName: 'tunnel' });
    expect(world.hub.get(Connector, copy)?.metadata.annotations?.[annotations.upstreamStatus]).toContain('"True"');
    expect(await shortened(world)).toBe('1');
    const [told, ...others] = world.project().objects(KubeEvent);
    expect(told).toMatchObject({ type: 'Warning', reason: 'FieldsNotCarried', regarding: { name: 'c1' } });
    expect(told?.note).toContain('spec.extra, spec.more');
    expect(others).toEqual([]);
    expect(world.logLines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'the hub does not know these fields: the copy is made without them',
    ]);

    await world.status(world.project(), { kind: Connector, name: c1 }, onlineStatus('False'));
    await world.after(seconds(2));
    expect(world.hub.get(Connector, copy)?.metadata.annotations?.[annotations.upstreamStatus]).toContain('"False"');
    await world.after(seconds(30));
    const since = world.calls.length;
    await world.after(minutes(5));
    expect(world.requests(since)).toEqual([]);
    expect(world.logLines).toHaveLength(1);
  });

  it('has what is left out carried once the hub knows it', async () => {
    await using world = new MirrorWorld();
    const copy = { namespace: await newerConnector(world), name: 'c1' };
    await extend(world, world.hub, newer);
    await world.after(minutes(25));
    expect(world.hub.get(Connector, copy)?.spec).toEqual({ connectorClassName: 'tunnel', extra: 'x', more: 'y' });
    expect(await shortened(world)).toBe('0');
  });

  it('inside lists, too, and what somebody edits on such a copy comes back', async () => {
    await using world = new MirrorWorld();
    const namespace = await world.namespace();
    await extend(world, world.project(), {
      kind: HTTPProxy,
      places: [['spec', 'rules', '*', 'backends', '*', 'weightless']],
    });
    const object = structuredClone(proxy('web')) as { spec: { rules: { backends: object[] }[] } };
    object.spec.rules.push({ backends: [{ endpoint: 'https://second.example', weightless: 'yes' }] });
    await world.make(world.project(), HTTPProxy, { ...object, metadata: web });
    world.start();
    await world.after(seconds(5));
    const copy = { namespace, name: 'web' };
    const made = world.hub.get(HTTPProxy, copy)?.spec;
    expect(made?.rules?.[1]?.backends).toEqual([{ endpoint: 'https://second.example' }]);
    await world.patch(world.hub, { kind: HTTPProxy, name: copy }, { spec: { hostnames: ['forged.example'] } });
    await world.after(seconds(5));
    expect(world.hub.get(HTTPProxy, copy)?.spec).toEqual(made);
    await world.delete(world.project(), HTTPProxy, web);
    await world.after(seconds(10));
    expect(await shortened(world)).toBe('0');
  });

  it('has what the hub knows as another type refused, said, and not asked for again and again', async () => {
    await using world = new MirrorWorld();
    await extend(world, world.hub, { ...newer, type: 'integer' });
    await newerConnector(world);
    expect(world.hub.objects(Connector)).toEqual([]);
    const [told, ...others] = world.project().objects(KubeEvent);
    expect(told).toMatchObject({ type: 'Warning', reason: 'ReplicationRefused', regarding: { name: 'c1' } });
    expect(told?.note).toContain('spec.extra: expected numeric');
    expect(others).toEqual([]);
    const since = world.calls.length;
    await world.after(minutes(5));
    // The floor may have had its turn.
    expect(world.writes(since).length).toBeLessThan(2);
  });
});
