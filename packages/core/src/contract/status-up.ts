/** Status on its way up, for kinds whose status is decided downstream. */
import { exactNumber, type Int64 } from '../json/value.ts';

/** Said upstream as `Unknown` when the hub has no status to show: an aggregate that is missing never clears what stands there. */
export const downstreamStatusMissing = 'DownstreamStatusMissing';

/** The generations of one object on two planes. */
export interface GenerationsSeen {
  /** `status.observedGeneration`, or a condition's, on the hub. */
  readonly hubObserved: Int64 | undefined;
  /** `metadata.generation` on the hub. */
  readonly hubGeneration: Int64 | undefined;
  /** The copy's `upstream-generation` annotation. */
  readonly upstreamGeneration: string | undefined;
  /** What upstream says now. */
  readonly current: Int64 | undefined;
}

/**
 * The observedGeneration to show upstream. Generations of two planes are different counters: the hub's tells only whether the newest
 * hub spec was seen, and if so, the upstream generation that this spec came from was. Else upstream keeps what it says.
 */
export function observedGenerationUp(seen: GenerationsSeen): Int64 | undefined {
  const { hubObserved, hubGeneration, upstreamGeneration, current } = seen;
  const caughtUp =
    hubObserved !== undefined && hubGeneration !== undefined && String(hubObserved) === String(hubGeneration);
  return (caughtUp ? generationOf(upstreamGeneration) : undefined) ?? current;
}

/** The generation that an annotation's text names. */
const generationOf = (text: string | undefined): Int64 | undefined =>
  text !== undefined && /^(?:0|[1-9]\d{0,18})$/.test(text) ? exactNumber(text) : undefined;
