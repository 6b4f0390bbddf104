/** Writes an answer: every list whole and in order, each resource as it was received or edited. */
import type { Clock, DurationMs } from '@lifeline/core';
import type { EdgeIndex } from '@lifeline/edge';
import { Cursor } from '../wire/cursor.ts';
import type { Slice } from '../wire/text.ts';
import { Writer } from '../wire/writer.ts';
import type { ClusterNames } from './cluster-names.ts';
import { ClusterWriter, type WriteInputs } from './cluster-writer.ts';
import type { Corrections } from './corrections.ts';
import { ended } from './draft-field.ts';
import type { Draft, DraftRouteConfiguration, DraftVirtualHost } from './draft.ts';
import { responseFields, routeConfiguration } from './envoy-fields.ts';
import { Findings } from './findings.ts';
import type { Memory } from './memory.ts';
import { NameMap } from './name-map.ts';
import type { ObjectNames } from './object-names.ts';
import type { RequestParts, RouteConfigurationPart, Span, VirtualHostPart } from './request.ts';
import { rewrite } from './rewrite.ts';
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
  readonly #clusterNames: ClusterNames = new NameMap();
  readonly #clusters: ClusterWriter;
  readonly #virtualHosts: VirtualHostDrafts;
  readonly #cursor = new Cursor(new Uint8Array());
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
    const { clock } = this.#options;
    const findings = new Findings();
    const inputs = { corrections, findings };
    this.#out.reset(request.bytes);
    this.#clusterNames.clear();
    const started = clock.monotonic();
    const clusters = request.clusters.map((each, place) => this.#clusters.write(each, place, inputs));
    const secrets = request.secrets.map((each) => this.#resource(responseFields.secrets, each));
    const listeners = request.listeners.map((each) => this.#resource(responseFields.listeners, each));
    const between = clock.monotonic();
    const routeConfigurations = request.routeConfigurations.map((each) => this.#routeConfiguration(each, inputs));
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
    this.#options.memory.hold(draft, () => {
      forgotten?.();
      letGo();
    });
    const buffer = this.#out.exchange(this.#spare);
    this.#spare = undefined;
    // They would hold this request for as long as nothing makes them look at another.
    this.#cursor.release();
    this.#clusters.release();
    this.#virtualHosts.release();
    return letGo;
  }

  /** A resource as it was received. */
  #resource(field: number, { from, to }: Slice): Span {
    this.#out.begin(field, to - from);
    this.#out.copy(from, to);
    return ended(this.#out);
  }

  #routeConfiguration(part: RouteConfigurationPart, inputs: WriteInputs): DraftRouteConfiguration {
    const out = this.#out;
    const virtualHosts: DraftVirtualHost[] = [];
    let place = 0;
    const begun = out.begin(responseFields.routes, part.to - part.from);
    rewrite(out, this.#cursor.aim(part), (at) => {
      if (!at.isBytes(routeConfiguration.virtualHosts)) return false;
      const written = this.#virtualHosts.write(at, part.virtualHosts[place++] as VirtualHostPart, inputs);
      if (written) virtualHosts.push(written);
      return true;
    });
    const span = ended(out);
    return { ...span, virtualHosts: moved(virtualHosts, span.from - begun) };
  }
}

/** What moved when the message around it got its length. */
const moved = (virtualHosts: DraftVirtualHost[], by: number): readonly DraftVirtualHost[] =>
  by === 0
    ? virtualHosts
    : virtualHosts.map((each) => ({ ...each, start: each.start + by, from: each.from + by, to: each.to + by }));
