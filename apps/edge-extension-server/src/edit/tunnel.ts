/** What leads to a connector's backend: an endpoint that is Envoy's internal listener, with metadata that says where it leads. */
import { metadataNamespaces, objectKey, type ObjectKey, tunnelKeys } from '@lifeline/core';
import type { BackendProgram } from '@lifeline/edge';
import type { Cursor } from '../wire/cursor.ts';
import { encodeText } from '../wire/text.ts';
import { message, type Writer } from '../wire/writer.ts';
import {
  address,
  endpoint as endpointFields,
  internalAddress,
  lbEndpoint,
  mapEntry,
  metadata as metadataFields,
  struct,
  value,
} from './envoy-fields.ts';
import { rewrite } from './rewrite.ts';
import { hasKey } from './struct.ts';

/** The tunnel of a backend, as it is written into a cluster. */
export interface Tunnel {
  /** `namespace/name`. */
  readonly connector: ObjectKey;
  /** Of an `Endpoint`: the field `address`. */
  readonly address: Uint8Array;
  /** Of a `Metadata`: the entry of `filter_metadata`. */
  readonly metadata: Uint8Array;
}

/** Tunnels by backend: the bytes that depend on nothing else are made once. */
export class Tunnels {
  readonly #internalListener: string;
  readonly #held = new WeakMap<BackendProgram, Tunnel>();

  /** @param internalListener the name of Envoy's internal listener */
  constructor(internalListener: string) {
    this.#internalListener = internalListener;
  }

  of(backend: BackendProgram, namespace: string): Tunnel {
    let tunnel = this.#held.get(backend);
    if (!tunnel) this.#held.set(backend, (tunnel = this.#make(backend, namespace)));
    return tunnel;
  }

  #make({ connector, nodeId, endpoint }: BackendProgram, namespace: string): Tunnel {
    return {
      connector: objectKey({ namespace, name: connector }),
      address: addressField(this.#internalListener, nodeId),
      metadata: metadataEntry(endpoint?.target ?? '', nodeId),
    };
  }
}

const addressField = (internalListener: string, nodeId: string): Uint8Array =>
  message((out) => {
    out.begin(endpointFields.address);
    out.begin(address.internalAddress);
    out.text(internalAddress.serverListenerName, internalListener);
    out.text(internalAddress.endpointId, nodeId);
    out.end();
    out.end();
  });

const metadataEntry = (target: string, nodeId: string): Uint8Array =>
  message((out) => {
    out.begin(metadataFields.filterMetadata);
    out.text(mapEntry.key, metadataNamespaces.tunnel);
    out.begin(mapEntry.value);
    writeText(out, tunnelKeys.address, target);
    writeText(out, tunnelKeys.endpointId, nodeId);
    out.end();
    out.end();
  });

/** An entry of a Struct. */
function writeText(out: Writer, key: string, text: string): void {
  out.begin(struct.fields);
  out.text(mapEntry.key, key);
  out.begin(mapEntry.value);
  out.text(value.string, text);
  out.end();
  out.end();
}

/** Writes an `LbEndpoint` in place of a placeholder, which keeps weight, health and whatever else it had. */
export function writeTunnelEndpoint(out: Writer, at: Cursor, tunnel: Tunnel): true {
  let hasMetadata = false;
  out.begin(at.field, likelyLength);
  rewrite(out, at.enter(), (each) => {
    if (each.isBytes(lbEndpoint.endpoint)) return writeAddress(out, each, tunnel);
    if (!each.isBytes(lbEndpoint.metadata)) return false;
    hasMetadata = true;
    return writeMetadata(out, each, tunnel);
  });
  if (!hasMetadata) out.bytes(lbEndpoint.metadata, tunnel.metadata);
  out.end();
  return true;
}
const likelyLength = 300;

function writeAddress(out: Writer, at: Cursor, tunnel: Tunnel): true {
  out.begin(at.field);
  rewrite(out, at.enter(), ({ field }) => addressFields.has(field));
  out.raw(tunnel.address);
  out.end();
  return true;
}
const addressFields: ReadonlySet<number> = new Set(Object.values(endpointFields));

/** Of what was there, the choice of a socket goes: there is nothing to choose from any more. */
function writeMetadata(out: Writer, at: Cursor, tunnel: Tunnel): true {
  out.begin(at.field, likelyLength);
  rewrite(out, at.enter(), (entry) => entry.isBytes(metadataFields.filterMetadata) && isReplaced(entry));
  out.raw(tunnel.metadata);
  out.end();
  return true;
}

const tunnelKey = encodeText(metadataNamespaces.tunnel);
const socketMatchKey = encodeText(metadataNamespaces.transportSocketMatch);
const isReplaced = (entry: Cursor): boolean => hasKey(entry, tunnelKey) || hasKey(entry, socketMatchKey);
