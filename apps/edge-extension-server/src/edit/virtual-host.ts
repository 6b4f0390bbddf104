/** A virtual host: its routes as their clusters want them, without the stamp, and without domains that an older Gateway has. */
import type { Cursor } from '../wire/cursor.ts';
import type { Writer } from '../wire/writer.ts';
import { virtualHost } from './envoy-fields.ts';
import { writeOfflineRoute } from './offline-route.ts';
import { type FieldEdit, rewrite } from './rewrite.ts';
import { decideRoute, type StateOf } from './route-decision.ts';
import { writeWithoutStamp } from './stamp.ts';
import { writeWeightedRoute } from './weighted-route.ts';

export interface VirtualHostOptions {
  readonly out: Writer;
  /** The fields of an offline route in place of its action. */
  readonly offline: Uint8Array;
  /** Under which the stamp stands in metadata. */
  readonly stampKey: Uint8Array;
}

export interface VirtualHostInputs {
  readonly stateOf: StateOf;
  readonly stamped: boolean;
  /** Places of domains that are left out. */
  readonly lostDomains: ReadonlySet<number> | undefined;
}

/** Writes virtual hosts, one after the other; what became of the last one stands in its properties. */
export class VirtualHostWriter {
  readonly #options: VirtualHostOptions;
  /** It differs from what was received by more than its stamp. */
  edited = false;
  /** A route of it leads, or would lead, to a connector. */
  connected = false;
  offlineRoutes = 0;
  #domains = 0;
  #inputs: VirtualHostInputs = { stateOf: () => undefined, stamped: false, lostDomains: undefined };

  constructor(options: VirtualHostOptions) {
    this.#options = options;
  }

  /** Writes the fields of a virtual host. */
  write(message: Cursor, inputs: VirtualHostInputs): void {
    this.edited = this.connected = false;
    this.offlineRoutes = this.#domains = 0;
    this.#inputs = inputs;
    rewrite(this.#options.out, message, this.#edit);
  }

  readonly #edit: FieldEdit = (at) => {
    if (at.isBytes(virtualHost.routes)) return this.#writeRoute(at);
    if (at.isBytes(virtualHost.domains)) return this.#losesDomain();
    return this.#inputs.stamped && at.isBytes(virtualHost.metadata) && this.#writeMetadata(at);
  };

  #writeRoute(at: Cursor): boolean {
    const { out, offline } = this.#options;
    const { stateOf } = this.#inputs;
    const decision = decideRoute(at.enter(), stateOf);
    if (decision === 'plain') return false;
    this.connected = true;
    if (decision === 'online') return false;
    this.edited = true;
    out.begin(at.field, at.to - at.from);
    if (decision === 'weighted') writeWeightedRoute(out, at.enter(), stateOf);
    else {
      writeOfflineRoute(out, at.enter(), offline);
      this.offlineRoutes++;
    }
    out.end();
    return true;
  }

  #losesDomain(): boolean {
    const lost = this.#inputs.lostDomains?.has(this.#domains++) ?? false;
    this.edited ||= lost;
    return lost;
  }

  #writeMetadata(at: Cursor): true {
    const { out, stampKey } = this.#options;
    out.begin(at.field, at.to - at.from);
    writeWithoutStamp(out, at.enter(), stampKey);
    out.end();
    return true;
  }
}
