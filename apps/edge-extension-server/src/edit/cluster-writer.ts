/** Writes the clusters of an answer: as they were received, as they lead into tunnels, or as they left before. */
import { deepEqual, type ObjectKey } from '@lifeline/core';
import type { EdgeIndex, ProxyProgram } from '@lifeline/edge';
import { Cursor } from '../wire/cursor.ts';
import { encodeText } from '../wire/text.ts';
import type { Writer } from '../wire/writer.ts';
import { decideCluster } from './cluster-decision.ts';
import { clusterStates } from './cluster-names.ts';
import { scanCluster } from './cluster-scan.ts';
import { type Corrections, noCorrections } from './corrections.ts';
import type { AnsweredCluster } from './draft.ts';
import { responseFields } from './envoy-fields.ts';
import { Findings } from './findings.ts';
import { identify } from './identify.ts';
import type { Memory } from './memory.ts';
import { writeMixedCluster } from './mixed-cluster.ts';
import type { ObjectNames } from './object-names.ts';
import { writeOnlineCluster } from './online-cluster.ts';
import type { Field } from './request.ts';
import type { ResourceTable } from './resource-table.ts';
import { type RunRules, RunWriter } from './run-writer.ts';
import type { EditorSettings } from './settings.ts';
import { Tunnels } from './tunnel.ts';

export interface ClusterWriterOptions {
  readonly out: Writer;
  readonly index: EdgeIndex;
  readonly settings: EditorSettings;
  readonly names: ObjectNames;
  readonly memory: Memory;
}

/** What resources are written with, and what is found meanwhile. */
export interface WriteInputs {
  /** The request. */
  readonly bytes: Uint8Array;
  readonly corrections: Corrections;
  readonly findings: Findings;
}

export class ClusterWriter implements RunRules<AnsweredCluster> {
  readonly runs: RunWriter<AnsweredCluster>;
  readonly #options: ClusterWriterOptions;
  readonly #placeholderHost: Uint8Array;
  readonly #tunnels: Tunnels;
  readonly #cursor = new Cursor(new Uint8Array());
  #inputs: WriteInputs = noInputs;

  constructor(options: ClusterWriterOptions) {
    const { out, memory, settings } = options;
    this.#options = options;
    this.#placeholderHost = encodeText(settings.placeholderHost);
    this.#tunnels = new Tunnels(settings.internalListener);
    this.runs = new RunWriter({ out, memory, recall: memory.clusters }, this);
  }

  begin(table: ResourceTable<AnsweredCluster>, inputs: WriteInputs): void {
    this.runs.begin(table);
    this.#inputs = inputs;
  }

  /** Lets go of the request. */
  release(): void {
    this.#inputs = noInputs;
    this.#cursor.release();
  }

  standing(answered: AnsweredCluster): AnsweredCluster | undefined {
    const { proxy, isTold } = answered;
    // The only corrections that are about clusters.
    if (isTold || this.#inputs.corrections.connectors.size > 0) return undefined;
    return proxy === undefined || isDecidedBy(answered, this.#options.index.proxy(proxy)) ? answered : undefined;
  }

  again({ state }: AnsweredCluster): void {
    const { findings } = this.#inputs;
    if (state === clusterStates.online) findings.clustersReplaced++;
    if (state === clusterStates.offline) findings.clustersOffline++;
  }

  anew(received: Field): AnsweredCluster {
    const { out, index, names } = this.#options;
    const { bytes, corrections, findings } = this.#inputs;
    const { contained } = findings;
    const part = { bytes, from: received.from, to: received.to };
    const scan = scanCluster(this.#cursor.aim(part), this.#placeholderHost);
    const identity = identify(scan, index, names);
    const decision = decideCluster(scan, identity, { tunnels: this.#tunnels, corrections, findings });
    out.begin(responseFields.clusters, part.to - part.from);
    const message = this.#cursor.aim(part);
    if (decision.at === 'online') writeOnlineCluster(out, message, decision);
    else if (decision.at === 'mixed')
      writeMixedCluster(out, message, { localities: scan.localities, placeholderHost: this.#placeholderHost });
    else out.copy(part.from, part.to);
    out.end();
    const proxy = identity.proxy?.key;
    const answered: AnsweredCluster = {
      name: { from: scan.name.from - part.from, to: scan.name.to - part.from },
      state: stateAfter[decision.at],
      proxy,
      program: proxy === undefined ? undefined : index.proxy(proxy),
      connectors: decision.at === 'online' ? decision.connectors : none,
      isTold: findings.contained !== contained,
      kept: undefined,
      other: undefined,
    };
    this.again(answered);
    return answered;
  }
}

/** Between two answers. */
export const noInputs: WriteInputs = { bytes: new Uint8Array(), corrections: noCorrections, findings: new Findings() };

/** Whether a cluster would be decided by the same. A program that says the same as one of before is another object. */
function isDecidedBy(answered: AnsweredCluster, program: ProxyProgram | undefined): boolean {
  const { program: before } = answered;
  if (before === program) return true;
  // The intent is a digest of the rules: another one tells quickly that they differ.
  if (before?.intent !== program?.intent || !deepEqual(before?.rules, program?.rules)) return false;
  answered.program = program;
  return true;
}

/** What a cluster is to routes, by what became of it. */
const stateAfter = {
  plain: clusterStates.plain,
  mixed: clusterStates.plain,
  offline: clusterStates.offline,
  online: clusterStates.online,
} as const;
const none: readonly ObjectKey[] = [];
