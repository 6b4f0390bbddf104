/** Copies of kinds that were replicated once and stand in the table no more. */
import { decodeLabel, kindId, type KubeObject, labels } from '@lifeline/core';
import type { Log } from '@lifeline/k8s';

export interface UnlistedKindsOptions {
  /** Of every kind in the table, those that are off included. */
  readonly listed: Iterable<string>;
  readonly installation: string;
  readonly log: Log;
}

/**
 * Says once of each kind that the hub still holds copies of it, though nobody looks after them: its entry was taken out of the setting before
 * they were gone. They are told by their anchors, which the hub shows whatever kinds it is asked for. Nothing is deleted on a guess.
 */
export class UnlistedKinds {
  readonly #options: UnlistedKindsOptions;
  readonly #known: Set<string>;

  constructor(options: UnlistedKindsOptions) {
    this.#options = options;
    this.#known = new Set(options.listed);
  }

  /** An anchor of the hub, or what else says that it is a copy. */
  seen({ metadata }: KubeObject): void {
    const { installation, log } = this.#options;
    const [group, kind] = [labels.upstreamGroup, labels.upstreamKind].map((key) =>
      decodeLabel(metadata.labels?.[key], metadata.annotations?.[key]),
    );
    if (group === undefined || !kind || metadata.labels?.[labels.installation] !== installation) return;
    const id = kindId(group, kind);
    if (this.#known.has(id)) return;
    this.#known.add(id);
    log.warn(
      { kind: id, entry: { group, kind, enabled: false } },
      'the hub holds copies of a kind that the setting kinds does not name: they stay, and so do finalizers in the projects. Name it with enabled: false until they are gone',
    );
  }
}
