/** What goes wrong in Karmada itself, when a test wants it to. */
import type { ResourceBinding, Work } from '@lifeline/core';

/** Asked each time; default: never. */
export interface Faults {
  /** Rule 29: this Work is forgotten when its binding goes. Nothing ever removes it, or its object. */
  readonly leaks?: ((work: Work) => boolean) | undefined;
  /** The template's status is written as `{}`, whatever its copies say, and whether its kind has an AggregateStatus or not. */
  readonly emptiesStatus?: ((binding: ResourceBinding) => boolean) | undefined;
  /** The scheduler finds no cluster for this binding, this time. */
  readonly findsNoCluster?: ((binding: ResourceBinding) => boolean) | undefined;
}
