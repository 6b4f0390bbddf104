/** What the demo shows, as facts: the text is made from them, and the test holds each against the planes. */
import type { DurationMs, MonotonicMs, ObjectKey } from '@lifeline/core';
import type { Downstream, Edge, PlaneName, Project, Replica, Writes } from './planes.ts';

interface Took {
  /** From the cause to this effect. */
  readonly tookMs: DurationMs;
}

/** What a replica looks after. */
export interface Share {
  readonly replica: Replica;
  readonly shards: readonly number[];
  /** Those of these shards. */
  readonly projects: readonly Project[];
}

/** The status of a connector's Ready, as its project says it. */
interface Said {
  readonly project: Project;
  readonly status: string;
}

/** The copies of a proxy and of the Backend that was made of it: what they say. */
export interface Arrived {
  readonly plane: Downstream;
  readonly project: Project;
  readonly hostname: string;
  readonly backend: string;
}

/** What a client of a host gets at an edge. */
export interface Routed {
  readonly edge: Edge;
  readonly project: Project;
  readonly hostname: string;
  readonly route: string;
}

/** What somebody did, or (with {@link Took}) what came of it. */
export type Fact =
  | { readonly what: 'join'; readonly edges: readonly Edge[] }
  | ({ readonly what: 'member ready'; readonly edge: Edge } & Took)
  | { readonly what: 'replicas start'; readonly replicas: readonly Replica[] }
  | { readonly what: 'servers start'; readonly servers: readonly string[] }
  | ({ readonly what: 'holds' } & Share & Took)
  | { readonly what: 'create'; readonly project: Project; readonly kind: string; readonly key: ObjectKey }
  /** The connector of a project is said to be ready or not, in the project. */
  | ({ readonly what: 'ready'; readonly reason: string } & Said & Took)
  /** What a plane makes of the connector's copy, since `ready`. */
  | ({ readonly what: 'reads'; readonly plane: Downstream; readonly project: Project; readonly verdict: string } & Took)
  /** What Envoy at an edge does with requests for a project's host: since `ready`, */
  | ({ readonly what: 'routes' } & Routed & Took)
  /** and since somebody did something else. */
  | ({ readonly what: 'serves' } & Routed & Took)
  | ({ readonly what: 'arrives' } & Arrived & Took)
  /** Since the last object was created in another project. */
  | { readonly what: 'untouched'; readonly project: Project; readonly writes: number }
  | { readonly what: 'agent starts'; readonly project: Project; readonly everyMs: DurationMs }
  | { readonly what: 'agent silent'; readonly project: Project; readonly sinceRenewalMs: DurationMs }
  /** Somebody writes another status into the annotation of the hub's copy. */
  | { readonly what: 'meddle'; readonly project: Project; readonly verdict: string }
  | ({ readonly what: 'restored'; readonly project: Project; readonly verdict: string } & Took)
  | { readonly what: 'rest'; readonly forMs: DurationMs }
  /** How often objects were written since, in all planes. */
  | ({ readonly what: 'wrote' } & Writes & Took)
  | ({ readonly what: 'kill' } & Share)
  | { readonly what: 'edit'; readonly project: Project; readonly key: ObjectKey; readonly hostname: string }
  | ({ readonly what: 'takes'; readonly replica: Replica; readonly project: Project; readonly shard: number } & Took)
  /** The connectors of all projects, since the kill. */
  | ({ readonly what: 'unmoved'; readonly ready: readonly Said[]; readonly writes: number } & Took)
  | {
      readonly what: 'delete';
      readonly project: Project;
      readonly key: ObjectKey;
      readonly finalizers: readonly string[];
    }
  | ({ readonly what: 'gone'; readonly plane: PlaneName; readonly project: Project } & Took)
  | { readonly what: 'stop'; readonly replicas: readonly Replica[] }
  | ({ readonly what: 'stopped'; readonly timers: number; readonly watches: number } & Took);

/** A fact and when it was seen, on the virtual clock. */
export type Moment = Fact & { readonly at: MonotonicMs };
