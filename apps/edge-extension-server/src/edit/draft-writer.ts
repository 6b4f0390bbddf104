/** Writes an answer: every list whole and in order, each resource as it was received or edited. */
import type { Clock, DurationMs } from '@lifeline/core';
import type { EdgeIndex } from '@lifeline/edge';
import type { Slice } from '../wire/text.ts';
import { Writer } from '../wire/writer.ts';
import { ClusterNames } from './cluster-names.ts';
import { ClusterWriter } from './cluster-writer.ts';
import type { Corrections } from './corrections.ts';
import type { Draft } from './draft.ts';
import { responseFields } from './envoy-fields.ts';
import { Findings } from './findings.ts';
import type { Memory, Tables } from './memory.ts';
import type { ObjectNames } from './object-names.ts';
import { areTheHeld, type RequestParts, type RouteConfigurationPart, type Span } from './request.ts';
import { ResourceTable } from './resource-table.ts';
import type { EditorSettings } from './settings.ts';
import { VirtualHostDrafts } from './virtual-host-drafts.ts';

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

const firstBytes = 1 << 16;

/** One for each editor: its tables are used again, so a draft is good until the next is written; its bytes, if it was kept, until they are let go. */
export class DraftWriter {
  readonly #options: DraftWriterOptions;
  readonly #out = new Writer(firstBytes);
  readonly #clusterNames = new ClusterNames();
  readonly #clusters: ClusterWriter;
  readonly #virtualHosts: VirtualHostDrafts;
  #tables: Tables = { clusters: new ResourceTable(), virtualHosts: new ResourceTable() };
  /** Of a draft that was kept and that nobody reads any more. */
  #spare: Uint8Array | undefined;

  constructor(options: DraftWriterOptions) {
    this.#options = options;
    const shared = { ...options, out: this.#out, clusterNames: this.#clusterNames };
    this.#clusters = new ClusterWriter(shared);
    this.#virtualHosts = new VirtualHostDrafts(shared);
  }

  /** @throws WireError when a resource is no message */
  write(request: RequestParts, corrections: Corrections): Written {
    const { clock, memory } = this.#options;
    const { clusters, virtualHosts } = this.#tables;
    const { bytes } = request;
    const findings = new Findings();
    const inputs = { bytes, corrections, findings };
    this.#out.reset(bytes);
    this.#clusters.begin(clusters, inputs);
    this.#virtualHosts.begin(virtualHosts, inputs);
    const started = clock.monotonic();
    let ordinal = 0;
    for (const run of request.clusters) {
      this.#clusters.runs.write(run, ordinal);
      ordinal += run.count;
    }
    const areKept = areTheHeld(request.clusters, memory.clusters.table.size);
    this.#clusterNames.hold(clusters, bytes, areKept ? memory.numbering : undefined);
    const secrets = request.secrets.map((each) => this.#resource(responseFields.secrets, each));
    const listeners = request.listeners.map((each) => this.#resource(responseFields.listeners, each));
    const between = clock.monotonic();
    const routeConfigurations = request.routeConfigurations.map((each) => this.#routeConfiguration(each));
    const draft: Draft = {
      request,
      bytes: this.#out.written(),
      clusters,
      freshClusters: this.#clusters.runs.fresh,
      names: this.#clusterNames,
      secrets,
      listeners,
      routeConfigurations,
      virtualHosts,
      freshVirtualHosts: this.#virtualHosts.runs.fresh,
    };
    return { draft, findings, phases: { clusters: between - started, routes: clock.monotonic() - between } };
  }

  /**
   * The draft that was written last is the answer, checked and put in order: what comes again is taken from it.
   * @param forgotten called once the request's bytes are not needed any more
   * @returns to be called once the answer's are not needed any more by whoever sends it
   */
  keep(draft: Draft, forgotten: (() => void) | undefined): () => void {
    let readers = 2;
    const letGo = (): void => {
      if (--readers === 0) this.#spare = buffer;
    };
    this.#tables = this.#options.memory.hold(draft, () => {
      forgotten?.();
      letGo();
    });
    const buffer = this.#out.exchange(this.#spare);
    this.#spare = undefined;
    // They would hold this request for as long as nothing makes them look at another.
    this.#clusterNames.release();
    this.#clusters.release();
    this.#virtualHosts.release();
    return letGo;
  }

  /** A resource as it was received. */
  #resource(field: number, { from, to }: Slice): Span {
    const out = this.#out;
    out.begin(field, to - from);
    out.copy(from, to);
    return { from: out.end(), to: out.length };
  }

  #routeConfiguration({ from, to, runs }: RouteConfigurationPart): Span {
    const out = this.#out;
    const { virtualHosts } = this.#tables;
    const first = virtualHosts.size;
    const begun = out.begin(responseFields.routes, to - from);
    let copied = from;
    for (const run of runs) {
      out.copy(copied, run.start);
      this.#virtualHosts.write(run);
      copied = run.end;
    }
    out.copy(copied, to);
    const start = out.end();
    // They moved when the message around them got its length.
    virtualHosts.moveWritten(first, start - begun);
    return { from: start, to: out.length };
  }
}
