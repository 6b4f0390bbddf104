/** Writes the virtual hosts of an answer: as their clusters want them, or as they left the last time. */
import { edgeReasons } from '@lifeline/core';
import { Cursor } from '../wire/cursor.ts';
import type { Writer } from '../wire/writer.ts';
import { type ClusterNames, clusterStates } from './cluster-names.ts';
import type { WriteInputs } from './cluster-writer.ts';
import type { CorrectedForm } from './corrections.ts';
import { ended, writeAgain } from './draft-field.ts';
import type { DraftVirtualHost, NamedCluster } from './draft.ts';
import { routeConfiguration, virtualHost } from './envoy-fields.ts';
import type { Findings } from './findings.ts';
import type { Memory } from './memory.ts';
import { offlineFields } from './offline-route.ts';
import type { VirtualHostPart } from './request.ts';
import type { StateOf } from './route-decision.ts';
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

export class VirtualHostDrafts {
  readonly #options: VirtualHostDraftsOptions;
  readonly #writer: VirtualHostWriter;
  readonly #cursor = new Cursor(new Uint8Array());
  /** Where the virtual host begins that is being written, and the clusters that it named so far. */
  #begin = 0;
  #named: NamedCluster[] = [];

  constructor(options: VirtualHostDraftsOptions) {
    this.#options = options;
    const { out, settings } = options;
    this.#writer = new VirtualHostWriter({
      out,
      offline: offlineFields(settings),
      stampKey: carriedKey(settings.stampKey),
    });
  }

  /** Undefined: it left. @param at the field of the virtual host */
  write(at: Cursor, part: VirtualHostPart, inputs: WriteInputs): DraftVirtualHost | undefined {
    const written = this.#again(part, inputs) ?? this.#anew(at, part, inputs);
    if (written) count(written, inputs.findings);
    return written;
  }

  /** Lets go of the request. */
  release(): void {
    this.#cursor.release();
  }

  /** As it left the last time; undefined when it has to be looked at. */
  #again(part: VirtualHostPart, { corrections }: WriteInputs): DraftVirtualHost | undefined {
    const { out, memory, clusterNames } = this.#options;
    const { ordinal } = part;
    if (corrections.lostDomains.has(ordinal) || corrections.virtualHosts.has(ordinal)) return undefined;
    const held = memory.virtualHosts.find(part, ordinal);
    if (!held || held.isTold) return undefined;
    for (const name of held.clusters)
      if (clusterNames.get(this.#cursor.within(part, name)) !== name.state) return undefined;
    return writeAgain(out, memory.bytes, { held, part });
  }

  #anew(at: Cursor, part: VirtualHostPart, { corrections, findings }: WriteInputs): DraftVirtualHost | undefined {
    const { out } = this.#options;
    const gateway = part.gateway?.key;
    const lostDomains = corrections.lostDomains.get(part.ordinal);
    if (lostDomains) {
      findings.contain(gateway, { outcome: 'contained', reason: edgeReasons.duplicateDomain });
      if (lostDomains.size === domainCount(at.enter())) return undefined;
    }
    const corrected = corrections.virtualHosts.get(part.ordinal);
    if (corrected) {
      findings.rolledBack++;
      findings.contain(gateway, { outcome: 'rolledBack', reason: corrected.reason });
    }
    this.#begin = part.from;
    this.#named = [];
    const start = out.length;
    out.begin(routeConfiguration.virtualHosts, part.to - part.from);
    const stamped = part.stamp !== undefined;
    this.#writer.write(at.enter(), { stateOf: this.#stateIn(corrected?.form), stamped, lostDomains });
    const { edited, connected, offlineRoutes } = this.#writer;
    const { from, to } = ended(out);
    const isTold = lostDomains !== undefined || corrected !== undefined;
    const clusters = this.#named;
    return { start, from, to, part, clusters, edited, connected, offlineRoutes, isTold, isRecalled: false };
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
    const state = this.#options.clusterNames.get(name);
    this.#named.push({ from: name.from - this.#begin, to: name.to - this.#begin, state });
    return state;
  };

  /** As if no connector were online. */
  readonly #offlineStateOf: StateOf = (name) => {
    const state = this.#options.clusterNames.get(name);
    return state === clusterStates.online ? clusterStates.offline : state;
  };
}

const nothingOfOurs: StateOf = () => undefined;

function count({ connected, offlineRoutes }: DraftVirtualHost, findings: Findings): void {
  if (connected) findings.vhostsConnectorApplied++;
  findings.connectorOfflineRoutes += offlineRoutes;
}

function domainCount(message: Cursor): number {
  let domains = 0;
  while (message.next()) if (message.isBytes(virtualHost.domains)) domains++;
  return domains;
}
