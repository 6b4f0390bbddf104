/** Writes the clusters of an answer: as they were received, as they lead into tunnels, or as they left the last time. */
import type { ObjectKey } from '@lifeline/core';
import type { EdgeIndex } from '@lifeline/edge';
import { Cursor } from '../wire/cursor.ts';
import { encodeText, type Slice } from '../wire/text.ts';
import type { Writer } from '../wire/writer.ts';
import { decideCluster } from './cluster-decision.ts';
import { type ClusterNames, type ClusterState, clusterStates } from './cluster-names.ts';
import { scanCluster } from './cluster-scan.ts';
import type { Corrections } from './corrections.ts';
import { ended, writeAgain } from './draft-field.ts';
import type { DraftCluster } from './draft.ts';
import { responseFields } from './envoy-fields.ts';
import type { Findings } from './findings.ts';
import { identify } from './identify.ts';
import type { Memory } from './memory.ts';
import { writeMixedCluster } from './mixed-cluster.ts';
import type { ObjectNames } from './object-names.ts';
import { writeOnlineCluster } from './online-cluster.ts';
import type { EditorSettings } from './settings.ts';
import { Tunnels } from './tunnel.ts';

export interface ClusterWriterOptions {
  readonly out: Writer;
  readonly index: EdgeIndex;
  readonly settings: EditorSettings;
  readonly names: ObjectNames;
  readonly memory: Memory;
  /** Is told what each cluster is. */
  readonly clusterNames: ClusterNames;
}

/** What resources are written with, and what is found meanwhile. */
export interface WriteInputs {
  readonly corrections: Corrections;
  readonly findings: Findings;
}

export class ClusterWriter {
  readonly #options: ClusterWriterOptions;
  readonly #placeholderHost: Uint8Array;
  readonly #tunnels: Tunnels;
  readonly #cursor = new Cursor(new Uint8Array());

  constructor(options: ClusterWriterOptions) {
    this.#options = options;
    this.#placeholderHost = encodeText(options.settings.placeholderHost);
    this.#tunnels = new Tunnels(options.settings.internalListener);
  }

  /** @param place in the list of clusters */
  write(part: Slice, place: number, inputs: WriteInputs): DraftCluster {
    return this.#again(part, place, inputs) ?? this.#anew(part, inputs);
  }

  /** Lets go of the request. */
  release(): void {
    this.#cursor.release();
  }

  /** As it left the last time; undefined when it has to be looked at. */
  #again(part: Slice, place: number, { corrections, findings }: WriteInputs): DraftCluster | undefined {
    const { out, memory, index } = this.#options;
    // The only ones that are about clusters.
    if (corrections.connectors.size > 0) return undefined;
    const held = memory.clusters.find(part, place);
    if (!held || held.isTold) return undefined;
    const { name, state, proxy, program } = held;
    if (proxy !== undefined && index.proxy(proxy) !== program) return undefined;
    this.#note(state, this.#cursor.within(part, name), findings);
    return writeAgain(out, memory.bytes, { held, part });
  }

  #anew(part: Slice, { corrections, findings }: WriteInputs): DraftCluster {
    const { out, index, names } = this.#options;
    const { contained } = findings;
    const scan = scanCluster(this.#cursor.aim(part), this.#placeholderHost);
    const identity = identify(scan, index, names);
    const decision = decideCluster(scan, identity, { tunnels: this.#tunnels, corrections, findings });
    const state = stateAfter[decision.at];
    this.#note(state, scan.name, findings);
    const start = out.length;
    out.begin(responseFields.clusters, part.to - part.from);
    const message = this.#cursor.aim(part);
    if (decision.at === 'online') writeOnlineCluster(out, message, decision);
    else if (decision.at === 'mixed')
      writeMixedCluster(out, message, { localities: scan.localities, placeholderHost: this.#placeholderHost });
    else out.copy(part.from, part.to);
    const { from, to } = ended(out);
    const proxy = identity.proxy?.key;
    return {
      start,
      from,
      to,
      part,
      name: { from: scan.name.from - part.from, to: scan.name.to - part.from },
      state,
      proxy,
      program: proxy === undefined ? undefined : index.proxy(proxy),
      connectors: decision.at === 'online' ? decision.connectors : none,
      isTold: findings.contained !== contained,
      isRecalled: false,
    };
  }

  /** What a cluster is, for the routes that name it and for the log. */
  #note(state: ClusterState, name: Slice, findings: Findings): void {
    this.#options.clusterNames.set(name, state);
    if (state === clusterStates.online) findings.clustersReplaced++;
    if (state === clusterStates.offline) findings.clustersOffline++;
  }
}

/** What a cluster is to routes, by what became of it. */
const stateAfter = {
  plain: clusterStates.plain,
  mixed: clusterStates.plain,
  offline: clusterStates.offline,
  online: clusterStates.online,
} as const;
const none: readonly ObjectKey[] = [];
