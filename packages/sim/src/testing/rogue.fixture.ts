/** Worlds without an app, in which a hand of ours does what no app should. */
import { ConfigMap, type Kind, type KubeObject, Lease, type ObjectMeta, seeded } from '@lifeline/core';
import { type Client, createClient } from '@lifeline/k8s';
import { Invariants } from '../invariants.ts';
import type { OracleId } from '../oracles/catalogue.ts';
import type { Finding } from '../oracles/oracle.ts';
import type { CopyRules, Placed, Subject } from '../oracles/subject.ts';
import type { PlaneSpec } from '../world/plane.ts';
import { World, type WorldSpec } from '../world/world.ts';

/** A signal that does not abort. */
export const { signal: never }: { readonly signal: AbortSignal } = new AbortController();
export const finalizer = 'rogue.example.com/hold';
const from = 'rogue.example.com/from';
const uid = 'rogue.example.com/uid';

const planes: readonly PlaneSpec[] = [
  { name: 'p1', role: 'project' },
  { name: 'p2', role: 'project' },
  { name: 'hub', role: 'hub' },
];

/** Copies lie in the hub's namespace `default`, and say by annotations where they come from. */
const copies: CopyRules = {
  planes: ['hub'],
  isOurs: ({ object }) => object.metadata.labels?.['ours'] === 'yes',
  upstreamOf: ({ object }) => {
    const { [from]: where, [uid]: of } = object.metadata.annotations ?? {};
    const [plane, name] = where?.split('/') ?? [];
    return plane && name && of ? { plane, kind: ConfigMap, name: { namespace: 'default', name }, uid: of } : undefined;
  },
  isSelected: ({ object }) => object.metadata.labels?.['selected'] === 'yes',
  copiesOf: ({ object }, truth) =>
    truth
      .objects('hub', ConfigMap)
      .filter((copy) => copy.metadata.annotations?.[uid] === object.metadata.uid)
      .map((copy): Placed => ({ plane: 'hub', object: copy })),
};

export const rogueSubject: Subject = {
  app: 'rogue',
  replicas: ['a', 'b'],
  planeOf: ({ role }) => role,
  writes: [
    { plane: 'project', kind: ConfigMap, verbs: ['patch'], fields: ['metadata.finalizers'], owner: 'rogue' },
    { plane: 'hub', kind: ConfigMap, verbs: ['create', 'patch', 'apply', 'delete'], fields: ['*'], owner: 'rogue' },
  ],
  finalizers: [finalizer],
  copies,
};

/** Everything that a test of an oracle does, and what the oracles say of it. */
export class Rogue implements AsyncDisposable {
  readonly world: World;
  readonly invariants: Invariants;

  constructor(subject: Partial<Subject> = {}, spec: Partial<WorldSpec> = {}) {
    this.world = new World({ seed: 'rogue', planes, apps: [], ...spec });
    this.invariants = new Invariants(this.world, [{ ...rogueSubject, ...subject }]);
  }

  /** The hand of one of our processes. */
  client(plane: string, { actor = 'a', incarnation = 1 } = {}): Client {
    const found = this.world.plane(plane);
    return createClient({
      transport: this.world.wires.direct({ actor, incarnation }, found),
      baseUrl: found.url,
      clock: this.world.clock,
      random: seeded('rogue'),
      userAgent: 'rogue',
    });
  }

  /** A source, as its user made it. */
  source(name = 'a', metadata: Partial<ObjectMeta> = {}, plane = 'p1'): Promise<ConfigMap> {
    const labels = { selected: 'yes' };
    return this.world
      .hands()
      .create(plane, ConfigMap, { metadata: { namespace: 'default', labels, ...metadata, name } });
  }

  /** Its copy, as we made it. */
  async copy(source: ConfigMap, metadata: Partial<ObjectMeta> = {}): Promise<ConfigMap> {
    const annotations = { [from]: `p1/${source.metadata.name}`, [uid]: source.metadata.uid ?? '' };
    return this.client('hub').create(
      ConfigMap,
      {
        metadata: {
          namespace: 'default',
          name: source.metadata.name,
          labels: { ours: 'yes' },
          annotations,
          ...metadata,
        },
      },
      { signal: never, fieldManager: 'rogue' },
    );
  }

  delete(kind: Kind, object: KubeObject, plane = 'hub'): Promise<unknown> {
    return this.client(plane).delete(
      { kind, name: object.metadata },
      { signal: never, uid: object.metadata.uid ?? '' },
    );
  }

  /** A delete as some libraries send it. */
  deleteByName({ metadata: { namespace, name } }: ConfigMap): Promise<unknown> {
    const path = `/api/v1/namespaces/${namespace}/configmaps/${name}`;
    return this.client('hub').raw({ method: 'DELETE', path }, { signal: never });
  }

  lead(actor: string, name = 'lead'): Promise<Lease> {
    const spec = { holderIdentity: actor, leaseDurationSeconds: 15 };
    return this.client('hub', { actor }).apply(
      Lease,
      { metadata: { namespace: 'default', name }, spec },
      { signal: never, fieldManager: 'lifeline-leader-election', force: true },
    );
  }

  /** Ids of what was found so far, each once. */
  get found(): readonly OracleId[] {
    return [...new Set(this.invariants.findings.map(({ oracle }) => oracle))];
  }

  finding(oracle: OracleId): Finding | undefined {
    return this.invariants.findings.find((each) => each.oracle === oracle);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
  }
}
