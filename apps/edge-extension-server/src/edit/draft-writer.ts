/** Writes an answer: every list whole and in order, each resource as it was received or edited. */
import { type Clock, type DurationMs, edgeReasons, type ObjectKey } from '@lifeline/core';
import type { EdgeIndex } from '@lifeline/edge';
import { Cursor } from '../wire/cursor.ts';
import { encodeText, type Slice } from '../wire/text.ts';
import { Writer } from '../wire/writer.ts';
import { decideCluster, type DecisionInputs } from './cluster-decision.ts';
import { ClusterNames, type ClusterState, clusterStates } from './cluster-names.ts';
import { type ClusterScan, scanCluster } from './cluster-scan.ts';
import { type CorrectedForm, type Corrections, noCorrections } from './corrections.ts';
import type { Draft, DraftCluster, DraftRouteConfiguration, DraftVirtualHost, NamedCluster } from './draft.ts';
import { responseFields, routeConfiguration, virtualHost } from './envoy-fields.ts';
import { Findings } from './findings.ts';
import { identify } from './identify.ts';
import type { Memory } from './memory.ts';
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
  readonly memory: Memory;
}

/** A draft, and what was found while it was written. */
export interface Written {
  readonly draft: Draft;
  readonly findings: Findings;
  readonly phases: { readonly clusters: DurationMs; readonly routes: DurationMs };
}

/**
 * One for each editor: its buffer and tables are used again, so a draft is good until the next is written, and its bytes, if it was kept,
 * until the next is kept.
 */
export class DraftWriter {
  readonly #options: DraftWriterOptions;
  readonly #placeholderHost: Uint8Array;
  readonly #tunnels: Tunnels;
  readonly #out = new Writer(1 << 16);
  readonly #virtualHosts: VirtualHostWriter;
  readonly #cursor = new Cursor(new Uint8Array());
  readonly #clusterNames = new ClusterNames();
  /** Of the draft that was kept before the last. */
  #spare: Uint8Array = new Uint8Array(1 << 16);
  /** The virtual host that is being written, and the clusters that it named so far. */
  #host: VirtualHostPart | undefined;
  #named: NamedCluster[] = [];

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
    const { clock } = this.#options;
    const findings = new Findings();
    this.#out.reset(request.bytes);
    this.#clusterNames.clear();
    const started = clock.monotonic();
    const inputs = { tunnels: this.#tunnels, corrections, findings };
    const clusters = request.clusters.map(
      (each, place) => this.#clusterAgain(each, place, inputs) ?? this.#cluster(each, inputs),
    );
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

  /**
   * The draft that was written last is the answer: what comes again is taken from it. For one that was checked and put in order, and that
   * nothing had to be corrected in.
   */
  keep(draft: Draft): void {
    this.#options.memory.hold(draft);
    this.#spare = this.#out.exchange(this.#spare);
  }

  /** A cluster as it left the last time; undefined when it has to be looked at. */
  #clusterAgain(part: Slice, place: number, { corrections, findings }: DecisionInputs): DraftCluster | undefined {
    const { memory, index } = this.#options;
    if (corrections !== noCorrections) return undefined;
    const held = memory.clusters.find(part, place);
    if (!held || held.isTold || (held.proxy !== undefined && index.proxy(held.proxy) !== held.program))
      return undefined;
    this.#note(
      held.state,
      { bytes: part.bytes, from: part.from + held.name.from, to: part.from + held.name.to },
      findings,
    );
    this.#out.begin(responseFields.clusters, held.to - held.from);
    this.#out.part(memory.bytes, held.from, held.to);
    const { name, state, proxy, program, connectors } = held;
    const { from, to } = this.#ended();
    return { from, to, part, name, state, proxy, program, connectors, isTold: false, isRecalled: true };
  }

  #cluster(part: Slice, inputs: DecisionInputs): DraftCluster {
    const { index, names } = this.#options;
    const { findings } = inputs;
    const { contained } = findings;
    const scan = scanCluster(this.#cursor.aim(part), this.#placeholderHost);
    const identity = identify(scan, index, names);
    const decision = decideCluster(scan, identity, inputs);
    const state = stateAfter[decision.at];
    this.#note(state, scan.name, findings);
    this.#out.begin(responseFields.clusters, part.to - part.from);
    if (decision.at === 'online') writeOnlineCluster(this.#out, this.#cursor.aim(part), decision);
    else if (decision.at === 'mixed') this.#mixedCluster(part, scan);
    else this.#out.copy(part.from, part.to);
    const proxy = identity.proxy?.key;
    const { from, to } = this.#ended();
    return {
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

  #mixedCluster(part: Slice, { localities }: ClusterScan): void {
    writeMixedCluster(this.#out, this.#cursor.aim(part), { localities, placeholderHost: this.#placeholderHost });
  }

  /** What a cluster is, for the routes that name it and for the log. */
  #note(state: ClusterState, name: Slice, findings: Findings): void {
    this.#clusterNames.set(name, state);
    if (state === clusterStates.online) findings.clustersReplaced++;
    if (state === clusterStates.offline) findings.clustersOffline++;
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
      const host = parts.next().value as VirtualHostPart;
      const written =
        this.#virtualHostAgain(host, { corrections, findings }) ??
        this.#virtualHost(at, host, { corrections, findings });
      if (written) virtualHosts.push(written);
      return true;
    });
    const span = this.#ended();
    return { ...span, virtualHosts: moved(virtualHosts, span.from - begun) };
  }

  /** A virtual host as it left the last time; undefined when it has to be looked at. */
  #virtualHostAgain(part: VirtualHostPart, { corrections, findings }: WriteInputs): DraftVirtualHost | undefined {
    const { memory } = this.#options;
    if (corrections !== noCorrections) return undefined;
    const held = memory.virtualHosts.find(part, part.ordinal);
    if (!held) return undefined;
    const { bytes, from: start } = part;
    for (const { from, to, state } of held.clusters)
      if (this.#clusterNames.state({ bytes, from: start + from, to: start + to }) !== state) return undefined;
    this.#out.begin(routeConfiguration.virtualHosts, held.to - held.from);
    this.#out.part(memory.bytes, held.from, held.to);
    const { clusters, edited, connected, offlineRoutes } = held;
    const { from, to } = this.#ended();
    return this.#counted({ from, to, part, clusters, edited, connected, offlineRoutes, isRecalled: true }, findings);
  }

  /** Undefined: it left. */
  #virtualHost(
    at: Cursor,
    part: VirtualHostPart,
    { corrections, findings }: WriteInputs,
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
    this.#host = part;
    this.#named = [];
    const written = this.#virtualHosts;
    const stamped = part.stamp !== undefined;
    written.write(at.enter(), { stateOf: this.#stateIn(corrected?.form), stamped, lostDomains });
    const { edited, connected, offlineRoutes } = written;
    const clusters = this.#named;
    const { from, to } = this.#ended();
    return this.#counted({ from, to, part, clusters, edited, connected, offlineRoutes, isRecalled: false }, findings);
  }

  #counted(host: DraftVirtualHost, findings: Findings): DraftVirtualHost {
    if (host.connected) findings.vhostsConnectorApplied++;
    findings.connectorOfflineRoutes += host.offlineRoutes;
    return host;
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
    const state = this.#clusterNames.state(name);
    const start = this.#host?.from ?? 0;
    this.#named.push({ from: name.from - start, to: name.to - start, state });
    return state;
  };

  /** As if no connector were online. */
  readonly #offlineStateOf: StateOf = (name) => {
    const state = this.#clusterNames.state(name);
    return state === clusterStates.online ? clusterStates.offline : state;
  };
}

interface WriteInputs {
  readonly corrections: Corrections;
  readonly findings: Findings;
}

/** What a cluster is to routes, by what became of it. */
const stateAfter = {
  plain: clusterStates.plain,
  mixed: clusterStates.plain,
  offline: clusterStates.offline,
  online: clusterStates.online,
} as const;
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
