/** What editing finds on its way: counts for the log, and what became of each Gateway. */
import type { ObjectKey, Outcome } from '@lifeline/core';

export interface Verdict {
  readonly outcome: Outcome;
  readonly reason: string;
}

/** From the least to the most telling: of several a Gateway's report says the last. */
const order: readonly Outcome[] = ['programmed', 'skew', 'contained', 'rolledBack'];

export class Findings {
  readonly containedBy = new Map<string, number>();
  readonly #verdicts = new Map<ObjectKey, Verdict>();
  clustersReplaced = 0;
  clustersOffline = 0;
  connectorOfflineRoutes = 0;
  vhostsConnectorApplied = 0;
  contained = 0;
  rolledBack = 0;

  /** Something that was left alone, or programmed offline, for a reason of the edge itself. @param gateway undefined where nobody knows */
  contain(gateway: ObjectKey | undefined, verdict: Verdict): void {
    this.contained++;
    this.containedBy.set(verdict.reason, (this.containedBy.get(verdict.reason) ?? 0) + 1);
    if (gateway !== undefined) this.judge(gateway, verdict);
  }

  /** Of equally telling verdicts the first stays. */
  judge(gateway: ObjectKey, verdict: Verdict): void {
    const held = this.#verdicts.get(gateway);
    if (!held || order.indexOf(verdict.outcome) > order.indexOf(held.outcome)) this.#verdicts.set(gateway, verdict);
  }

  /** Nobody was judged: every verdict is that all is as wanted. */
  get isClean(): boolean {
    return this.#verdicts.size === 0;
  }

  verdict(gateway: ObjectKey): Verdict {
    return this.#verdicts.get(gateway) ?? asWanted;
  }
}

const asWanted: Verdict = { outcome: 'programmed', reason: '' };
