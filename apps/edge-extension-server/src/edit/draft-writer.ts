/** Writes an answer: every list whole and in order, each resource as it was received or edited. */
import { type Clock, type DurationMs, edgeReasons, type ObjectKey } from '@lifeline/core';
import type { EdgeIndex } from '@lifeline/edge';
import { Cursor } from '../wire/cursor.ts';
import { encodeText, type Slice } from '../wire/text.ts';
import { Writer } from '../wire/writer.ts';
import { decideCluster, type DecisionInputs } from './cluster-decision.ts';
import { ClusterNames, clusterStates } from './cluster-names.ts';
import { scanCluster } from './cluster-scan.ts';
import type { CorrectedForm, Corrections } from './corrections.ts';
import type { Draft, DraftCluster, DraftRouteConfiguration, DraftVirtualHost } from './draft.ts';
import { responseFields, routeConfiguration, virtualHost } from './envoy-fields.ts';
import { Findings } from './findings.ts';
import { writeMixedCluster } from './mixed-cluster.ts';
import type { ObjectNames } from './object-names.ts';
import { offlineFields } from './offline-route.ts';
import { writeOnlineCluster } from './online-cluster.ts';
import type { RequestParts, RouteConfigurationPart, Span, VirtualHostPart } from './request.ts';
import { rewrite } from './rewrite.ts';
import type { StateOf } from './route-decision.ts';
import type { EditorSettings } from './settings.ts';
import { carriedKey } from './stamp.ts';
import { Tunnels } from './tunnel.ts';
import { VirtualHostWriter } from './virtual-host.ts';

export interface DraftWriterOptions {
  readonly index: EdgeIndex;
  readonly settings: EditorSettings;
  readonly clock: Clock;
  readonly names: ObjectNames;
}

/** A draft, and what was found while it was written. */
export interface Written {
  readonly draft: Draft;
  readonly findings: Findings;
  readonly phases: { readonly clusters: DurationMs; readonly routes: DurationMs };
}

/** One for each editor: its buffer and tables are used again, so a draft is good until the next is written. */
export class DraftWriter {
  readonly #options: DraftWriterOptions;
  readonly #placeholderHost: Uint8Array;
  readonly #tunnels: Tunnels;
  readonly #out = new Writer(1 << 16);
  readonly #virtualHosts: VirtualHostWriter;
  readonly #cursor = new Cursor(new Uint8Array());
  readonly #clusterNames = new ClusterNames();

  constructor(options: DraftWriterOptions) {
    this.#options = options;
    this.#placeholderHost = encodeText(options.settings.placeholderHost);
    this.#tunnels = new Tunnels(options.settings.internalListener);
    this.#virtualHosts = new VirtualHostWriter({
      out: this.#out,
      offline: offlineFields(options.settings),
      stampKey: carriedKey(options.settings.stampKey),
    });
  }

  /** @throws WireError when a resource is no message */
  write(request: RequestParts, corrections: Corrections): Written {
    const { clock, index, names } = this.#options;
    const findings = new Findings();
    this.#out.reset(request.bytes);
    this.#clusterNames.clear();
    const started = clock.monotonic();
    const inputs = { index, names, tunnels: this.#tunnels, corrections, findings };
    const clusters = request.clusters.map((each) => this.#cluster(each, inputs));
    const secrets = request.secrets.map((each) => this.#resource(responseFields.secrets, each));
    const listeners = request.listeners.map((each) => this.#resource(responseFields.listeners, each));
    const between = clock.monotonic();
    const routeConfigurations = request.routeConfigurations.map((each) =>
      this.#routeConfiguration(each, corrections, findings),
    );
    const draft: Draft = {
      request,
      bytes: this.#out.written(),
      clusters,
      names: this.#clusterNames,
      secrets,
      listeners,
      routeConfigurations,
    };
    return { draft, findings, phases: { clusters: between - started, routes: clock.monotonic() - between } };
  }

  /** A resource as it was received. */
  #resource(field: number, { from, to }: Slice): Span {
    this.#out.begin(field, to - from);
    this.#out.copy(from, to);
    return this.#ended();
  }

  /** Where the value of the message that ends here stands. */
  #ended(): Span {
    const from = this.#out.end();
    return { from, to: this.#out.length };
  }

  #cluster(message: Slice, inputs: DecisionInputs): DraftCluster {
    const { findings } = inputs;
    const scan = scanCluster(this.#cursor.aim(message), this.#placeholderHost);
    const decision = decideCluster(scan, inputs);
    switch (decision.at) {
      case 'plain':
        this.#clusterNames.set(scan.name, clusterStates.plain);
        return { ...this.#resource(responseFields.clusters, message), connectors: none };
      case 'offline':
        findings.clustersOffline++;
        this.#clusterNames.set(scan.name, clusterStates.offline);
        return { ...this.#resource(responseFields.clusters, message), connectors: none };
      case 'mixed':
        this.#clusterNames.set(scan.name, clusterStates.plain);
        this.#out.begin(responseFields.clusters, message.to - message.from);
        writeMixedCluster(this.#out, this.#cursor.aim(message), {
          localities: scan.localities,
          placeholderHost: this.#placeholderHost,
        });
        return { ...this.#ended(), connectors: none };
      case 'online': {
        findings.clustersReplaced++;
        this.#clusterNames.set(scan.name, clusterStates.online);
        this.#out.begin(responseFields.clusters, message.to - message.from);
        writeOnlineCluster(this.#out, this.#cursor.aim(message), decision);
        return { ...this.#ended(), connectors: decision.connectors };
      }
    }
  }

  #routeConfiguration(
    part: RouteConfigurationPart,
    corrections: Corrections,
    findings: Findings,
  ): DraftRouteConfiguration {
    const out = this.#out;
    const virtualHosts: DraftVirtualHost[] = [];
    const parts = part.virtualHosts.values();
    const begun = out.begin(responseFields.routes, part.to - part.from);
    rewrite(out, this.#cursor.aim(part), (at) => {
      if (!at.isBytes(routeConfiguration.virtualHosts)) return false;
      const written = this.#virtualHost(at, parts.next().value as VirtualHostPart, { corrections, findings });
      if (written) virtualHosts.push(written);
      return true;
    });
    const span = this.#ended();
    return { ...span, virtualHosts: moved(virtualHosts, span.from - begun) };
  }

  /** Undefined: it left. */
  #virtualHost(
    at: Cursor,
    part: VirtualHostPart,
    { corrections, findings }: { corrections: Corrections; findings: Findings },
  ): DraftVirtualHost | undefined {
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
    this.#out.begin(routeConfiguration.virtualHosts, part.to - part.from);
    const written = this.#virtualHosts;
    written.write(at.enter(), { stateOf: this.#stateIn(corrected?.form), stamped: part.stamped, lostDomains });
    if (written.connected) findings.vhostsConnectorApplied++;
    findings.connectorOfflineRoutes += written.offlineRoutes;
    const from = this.#out.end();
    return { from, to: this.#out.length, part, edited: written.edited };
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

  readonly #stateOf: StateOf = (name) => this.#clusterNames.state(name);

  /** As if no connector were online. */
  readonly #offlineStateOf: StateOf = (name) => {
    const state = this.#clusterNames.state(name);
    return state === clusterStates.online ? clusterStates.offline : state;
  };
}

const none: readonly ObjectKey[] = [];
const nothingOfOurs: StateOf = () => undefined;

/** What moved when the message around it got its length. */
const moved = (virtualHosts: DraftVirtualHost[], by: number): readonly DraftVirtualHost[] =>
  by === 0 ? virtualHosts : virtualHosts.map((each) => ({ ...each, from: each.from + by, to: each.to + by }));

function domainCount(message: Cursor): number {
  let count = 0;
  while (message.next()) if (message.isBytes(virtualHost.domains)) count++;
  return count;
}
