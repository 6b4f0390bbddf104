/** What the demo shows, as facts: the text is made from them, and the test holds each against the planes. */
import type { DurationMs, MonotonicMs, ObjectKey } from '@lifeline/core';
import type { Identity, Replica, Source } from './planes.ts';

interface Took {
  /** From the cause to this effect. */
  readonly tookMs: DurationMs;
}

/** What somebody did, or (with {@link Took}) what came of it. */
export type Fact =
  | { readonly what: 'replicas start'; readonly replicas: readonly Replica[] }
  | ({ readonly what: 'leads'; readonly replica: Replica; readonly identity: Identity } & Took)
  | { readonly what: 'create'; readonly source: Source }
  | ({ readonly what: 'copied'; readonly source: Source; readonly copy: ObjectKey } & Took)
  | { readonly what: 'edit'; readonly source: Source; readonly value: string }
  | ({ readonly what: 'followed'; readonly source: Source; readonly value: string } & Took)
  | { readonly what: 'delete copy'; readonly source: Source }
  | ({ readonly what: 'back'; readonly source: Source; readonly copy: ObjectKey } & Took)
  | { readonly what: 'rest'; readonly forMs: DurationMs; readonly renewals: number; readonly otherWrites: number }
  | { readonly what: 'kill'; readonly replica: Replica; readonly identity: Identity }
  | { readonly what: 'delete source'; readonly source: Source; readonly finalizers: readonly string[] }
  | ({ readonly what: 'copy gone'; readonly source: Source } & Took)
  | ({ readonly what: 'released'; readonly source: Source } & Took)
  | { readonly what: 'stop'; readonly replicas: readonly Replica[] }
  | ({ readonly what: 'stopped'; readonly timers: number; readonly watches: number } & Took);

/** A fact and when it was seen, on the virtual clock. */
export type Moment = Fact & { readonly at: MonotonicMs };
