/** Writes the virtual hosts of an answer: as their clusters want them, or as they left before. */
import { edgeReasons } from '@lifeline/core';
import { Cursor } from '../wire/cursor.ts';
import type { Writer } from '../wire/writer.ts';
import { type ClusterNames, clusterStates } from './cluster-names.ts';
import { noInputs, type WriteInputs } from './cluster-writer.ts';
import type { CorrectedForm } from './corrections.ts';
import type { AnsweredVirtualHost, NamedCluster } from './draft.ts';
import { routeConfiguration, virtualHost } from './envoy-fields.ts';
import type { Memory } from './memory.ts';
import { offlineFields } from './offline-route.ts';
import type { Field, VirtualHostOwner, VirtualHostRun } from './request.ts';
import type { StateOf } from './route-decision.ts';
import type { ResourceTable } from './resource-table.ts';
import { type RunRules, RunWriter } from './run-writer.ts';
import type { EditorSettings } from './settings.ts';
import { carriedKey } from './stamp.ts';
import { VirtualHostWriter } from './virtual-host.ts';

export interface VirtualHostDraftsOptions {
  readonly out: Writer;
  readonly settings: EditorSettings;
  readonly memory: Memory;
  /** All clusters of the answer. */
  readonly clusterNames: ClusterNames;
}

export class VirtualHostDrafts implements RunRules<AnsweredVirtualHost> {
  readonly runs: RunWriter<AnsweredVirtualHost>;
  readonly #options: VirtualHostDraftsOptions;
  readonly #writer: VirtualHostWriter;
  readonly #cursor = new Cursor(new Uint8Array());
  #inputs: WriteInputs = noInputs;
  /** Of the virtual hosts that are not held. */
  #owner: VirtualHostOwner = nobody;
  /** Where the virtual host begins that is being written, and the clusters that it named so far. */
  #begin = 0;
  #named: NamedCluster[] = [];

  constructor(options: VirtualHostDraftsOptions) {
    this.#options = options;
    const { out, memory, settings } = options;
    this.#writer = new VirtualHostWriter({
      out,
      offline: offlineFields(settings),
      stampKey: carriedKey(settings.stampKey),
    });
    this.runs = new RunWriter({ out, memory, recall: memory.virtualHosts }, this);
  }

  begin(table: ResourceTable<AnsweredVirtualHost>, inputs: WriteInputs): void {
    this.runs.begin(table);
    this.#inputs = inputs;
  }

  write(run: VirtualHostRun): void {
    this.#owner = run.owner ?? nobody;
    this.runs.write(run, run.ordinal);
  }

  /** Lets go of the request. */
  release(): void {
    this.#inputs = noInputs;
    this.#cursor.release();
  }

  standing(answered: AnsweredVirtualHost, from: number, ordinal: number): AnsweredVirtualHost | undefined {
    const { corrections } = this.#inputs;
    const { clusterNames } = this.#options;
    if (answered.isTold || corrections.lostDomains.has(ordinal) || corrections.virtualHosts.has(ordinal))
      return undefined;
    if (answered.numbering !== clusterNames.numbering) return this.#renumbered(answered, from);
    for (const { number, state } of answered.clusters) if (clusterNames.stateOf(number) !== state) return undefined;
    return answered;
  }

  again({ connected, offlineRoutes }: AnsweredVirtualHost): void {
    const { findings } = this.#inputs;
    if (connected) findings.vhostsConnectorApplied++;
    findings.connectorOfflineRoutes += offlineRoutes;
  }

  anew({ from, to }: Field, ordinal: number, before: AnsweredVirtualHost | undefined): AnsweredVirtualHost | undefined {
    const { out, clusterNames } = this.#options;
    const { bytes, corrections, findings } = this.#inputs;
    const owner = before?.owner ?? this.#owner;
    const gateway = owner.gateway?.key;
    const lostDomains = corrections.lostDomains.get(ordinal);
    const message = this.#cursor.aim({ bytes, from, to });
    if (lostDomains) {
      findings.contain(gateway, { outcome: 'contained', reason: edgeReasons.duplicateDomain });
      if (lostDomains.size === domainCount(message)) return undefined;
    }
    const corrected = corrections.virtualHosts.get(ordinal);
    if (corrected) {
      findings.rolledBack++;
      findings.contain(gateway, { outcome: 'rolledBack', reason: corrected.reason });
    }
    this.#begin = from;
    this.#named = [];
    out.begin(routeConfiguration.virtualHosts, to - from);
    const stamped = owner.stamp !== undefined;
    this.#writer.write(message.rewind(), { stateOf: this.#stateIn(corrected?.form), stamped, lostDomains });
    const { edited, connected, offlineRoutes } = this.#writer;
    const answered: AnsweredVirtualHost = {
      owner,
      clusters: this.#named,
      numbering: clusterNames.numbering,
      edited,
      connected,
      offlineRoutes,
      isTold: lostDomains !== undefined || corrected !== undefined,
      kept: undefined,
      other: undefined,
    };
    out.end();
    this.again(answered);
    return answered;
  }

  /** It stands, with the numbers that clusters have now; undefined when they are not what they were. */
  #renumbered(answered: AnsweredVirtualHost, from: number): AnsweredVirtualHost | undefined {
    const { clusterNames } = this.#options;
    const host = { bytes: this.#inputs.bytes, from, to: from };
    const clusters = answered.clusters.map((each) => ({
      ...each,
      number: clusterNames.numberOf(this.#cursor.within(host, each)),
    }));
    if (clusters.some(({ number, state }) => clusterNames.stateOf(number) !== state)) return undefined;
    return { ...answered, clusters, numbering: clusterNames.numbering };
  }

  /** What clusters are to the routes of a virtual host in this form. */
  #stateIn(form: CorrectedForm | undefined): StateOf {
    switch (form) {
      case undefined:
        return this.#stateOf;
      case 'offline':
        return this.#offlineStateOf;
      case 'original':
        return nothingOfOurs;
    }
  }

  readonly #stateOf: StateOf = (name) => {
    const number = this.#options.clusterNames.numberOf(name);
    const state = this.#options.clusterNames.stateOf(number);
    this.#named.push({ from: name.from - this.#begin, to: name.to - this.#begin, number, state });
    return state;
  };

  /** As if no connector were online. */
  readonly #offlineStateOf: StateOf = (name) => {
    const { clusterNames } = this.#options;
    const state = clusterNames.stateOf(clusterNames.numberOf(name));
    return state === clusterStates.online ? clusterStates.offline : state;
  };
}

const nobody: VirtualHostOwner = { gateway: undefined, stamp: undefined };
const nothingOfOurs: StateOf = () => undefined;

function domainCount(message: Cursor): number {
  let domains = 0;
  while (message.next()) if (message.isBytes(virtualHost.domains)) domains++;
  return domains;
}
