/** What the demo shows, as facts: the text is made from them, and the test holds each against the planes. */
import type { DurationMs, MonotonicMs, ObjectKey } from '@lifeline/core';
import type { Edge, Identity, PlaneName, Project, Replica } from './planes.ts';

interface Took {
  /** From the cause to this effect. */
  readonly tookMs: DurationMs;
}

/** What somebody did, or (with {@link Took}) what came of it. */
export type Fact =
  | { readonly what: 'join'; readonly edges: readonly Edge[] }
  | ({ readonly what: 'member ready'; readonly edge: Edge } & Took)
  | { readonly what: 'policy'; readonly policy: ObjectKey }
  | { readonly what: 'replicas start'; readonly replicas: readonly Replica[] }
  | ({ readonly what: 'leads'; readonly replica: Replica; readonly identity: Identity } & Took)
  | { readonly what: 'create'; readonly project: Project; readonly value: string }
  | { readonly what: 'edit'; readonly project: Project; readonly value: string }
  /** A copy of the project's ConfigMap. */
  | ({ readonly what: 'says'; readonly plane: PlaneName; readonly project: Project; readonly value: string } & Took)
  | { readonly what: 'meddle'; readonly edge: Edge; readonly project: Project; readonly value: string }
  /** Somebody annotated the hub's Connector with a status from upstream. */
  | { readonly what: 'annotate'; readonly connector: ObjectKey; readonly verdict: string }
  | ({ readonly what: 'reads'; readonly edge: Edge; readonly verdict: string } & Took)
  | { readonly what: 'proxy'; readonly proxy: ObjectKey }
  | ({ readonly what: 'proxy arrives'; readonly edge: Edge } & Took)
  | { readonly what: 'status'; readonly edge: Edge; readonly address: string }
  | ({ readonly what: 'reported'; readonly edge: Edge; readonly address: string } & Took)
  | { readonly what: 'rest'; readonly forMs: DurationMs; readonly renewals: number; readonly otherWrites: number }
  | { readonly what: 'kill'; readonly replica: Replica; readonly identity: Identity }
  | { readonly what: 'delete'; readonly project: Project; readonly finalizers: readonly string[] }
  | ({ readonly what: 'gone'; readonly plane: PlaneName; readonly project: Project } & Took)
  | { readonly what: 'stop'; readonly replicas: readonly Replica[] }
  | ({ readonly what: 'stopped'; readonly timers: number; readonly watches: number } & Took);

/** A fact and when it was seen, on the virtual clock. */
export type Moment = Fact & { readonly at: MonotonicMs };
