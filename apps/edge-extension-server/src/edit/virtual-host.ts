/** A virtual host: its routes as their clusters want them, without the stamp, and without domains that an older Gateway has. */
import type { Cursor } from '../wire/cursor.ts';
import type { Writer } from '../wire/writer.ts';
import { virtualHost } from './envoy-fields.ts';
import { writeOfflineRoute } from './offline-route.ts';
import { rewrite } from './rewrite.ts';
import { decideRoute, type StateOf } from './route-decision.ts';
import { writeWithoutStamp } from './stamp.ts';
import { writeWeightedRoute } from './weighted-route.ts';

export interface VirtualHostInputs {
  readonly stamped: boolean;
  readonly stateOf: StateOf;
  /** The fields of an offline route in place of its action. */
  readonly offline: Uint8Array;
  /** Under which the stamp stands in metadata. */
  readonly stampKey: Uint8Array;
  /** Places of domains that are left out. */
  readonly lostDomains: ReadonlySet<number> | undefined;
}

export interface WrittenVirtualHost {
  /** It differs from what was received by more than its stamp. */
  readonly edited: boolean;
  /** A route of it leads, or would lead, to a connector. */
  readonly connected: boolean;
  readonly offlineRoutes: number;
}

/** Writes the fields of the virtual host. */
export function writeVirtualHost(out: Writer, message: Cursor, inputs: VirtualHostInputs): WrittenVirtualHost {
  const { stamped, stateOf, offline, stampKey, lostDomains } = inputs;
  let edited = false;
  let connected = false;
  let offlineRoutes = 0;
  let domains = 0;
  const writeRoute = (at: Cursor): boolean => {
    const decision = decideRoute(at.enter(), stateOf);
    if (decision === 'plain') return false;
    connected = true;
    if (decision === 'online') return false;
    edited = true;
    out.begin(at.field, at.to - at.from);
    if (decision === 'weighted') writeWeightedRoute(out, at.enter(), stateOf);
    else {
      writeOfflineRoute(out, at.enter(), offline);
      offlineRoutes++;
    }
    out.end();
    return true;
  };
  const loses = (): boolean => {
    const lost = lostDomains?.has(domains++) ?? false;
    edited ||= lost;
    return lost;
  };
  const writeMetadata = (at: Cursor): true => {
    out.begin(at.field, at.to - at.from);
    writeWithoutStamp(out, at.enter(), stampKey);
    out.end();
    return true;
  };
  rewrite(out, message, (at) => {
    if (at.isBytes(virtualHost.routes)) return writeRoute(at);
    if (at.isBytes(virtualHost.domains)) return loses();
    return stamped && at.isBytes(virtualHost.metadata) && writeMetadata(at);
  });
  return { edited, connected, offlineRoutes };
}
