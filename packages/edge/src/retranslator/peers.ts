/** Follows the extension servers that there are, as they come and go. */
import { type Clock, linkAbort, type LinkedAbort, metricDefinitions, type Random } from '@lifeline/core';
import type { Log, Metrics } from '@lifeline/k8s';
import type { ReportSource } from '../report/report.ts';
import { follow, type StreamState } from './follow.ts';
import type { Programmed } from './programmed.ts';

export interface PeersOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly programmed: Programmed;
}

interface Peer {
  readonly life: LinkedAbort;
  state: StreamState;
}

/** States of streams as `lifeline_report_streams` counts them: one that is known by another stream is no stream. */
const states: readonly StreamState[] = ['connecting', 'syncing', 'synced'];

export class Peers implements Disposable {
  readonly #options: PeersOptions;
  readonly #peers = new Map<string, Peer>();
  readonly #followed = new Set<string>();
  readonly #gauge: Disposable;

  constructor(options: PeersOptions) {
    this.#options = options;
    this.#gauge = options.metrics.collect(metricDefinitions.reportStreams, () =>
      states.map((state) => ({
        labels: { state },
        value: [...this.#peers.values()].filter((peer) => peer.state === state).length,
      })),
    );
  }

  [Symbol.dispose](): void {
    this.set([]);
    this.#gauge[Symbol.dispose]();
  }

  /** These are all there are, by their names: new ones are followed, those that are missing no longer. */
  set(sources: readonly ReportSource[]): void {
    const names = new Set(sources.map(({ name }) => name));
    for (const [name, { life }] of this.#peers) {
      if (names.has(name)) continue;
      this.#peers.delete(name);
      life.abort(new Error('no longer there'));
      life[Symbol.dispose]();
    }
    for (const source of sources) if (!this.#peers.has(source.name)) this.#add(source);
  }

  #add(source: ReportSource): void {
    const peer: Peer = { life: linkAbort(), state: 'connecting' };
    this.#peers.set(source.name, peer);
    const state = (now: StreamState): void => void (peer.state = now);
    void follow(source, { ...this.#options, followed: this.#followed, state }, peer.life.signal);
  }
}
