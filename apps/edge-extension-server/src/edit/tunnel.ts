/** What leads to a connector's backend: an endpoint that is Envoy's internal listener, with metadata that says where it leads. */
import { metadataNamespaces, objectKey, type ObjectKey, tunnelKeys } from '@lifeline/core';
import type { BackendProgram } from '@lifeline/edge';
import type { Cursor } from '../wire/cursor.ts';
import { encodeText } from '../wire/text.ts';
import { Writer } from '../wire/writer.ts';
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
  /**
   * What is written: of an `Endpoint` the field `address`, and of a `Metadata` the entry of `filter_metadata`. In one piece of a shared
   * buffer, because there are thousands of them and each call needs all.
   */
  readonly bytes: Buffer;
  /** Where the second begins. */
  readonly split: number;
}

/** Tunnels by backend: the bytes that depend on nothing else are made once. */
export class Tunnels {
  readonly #internalListener: string;
  readonly #out = new Writer();
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
    const out = this.#out;
    out.reset();
    writeAddressField(out, this.#internalListener, nodeId);
    const split = out.length;
    writeMetadataEntry(out, endpoint?.target ?? '', nodeId);
    return { connector: objectKey({ namespace, name: connector }), bytes: Buffer.from(out.written()), split };
  }
}

function writeAddressField(out: Writer, internalListener: string, nodeId: string): void {
  out.begin(endpointFields.address);
  out.begin(address.internalAddress);
  out.text(internalAddress.serverListenerName, internalListener);
  out.text(internalAddress.endpointId, nodeId);
  out.end();
  out.end();
}

function writeMetadataEntry(out: Writer, target: string, nodeId: string): void {
  out.begin(metadataFields.filterMetadata, likelyEntryLength);
  out.text(mapEntry.key, metadataNamespaces.tunnel);
  out.begin(mapEntry.value, likelyEntryLength);
  writeText(out, tunnelKeys.address, target);
  writeText(out, tunnelKeys.endpointId, nodeId);
  out.end();
  out.end();
}
const likelyEntryLength = 200;

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
  if (!hasMetadata) {
    out.begin(lbEndpoint.metadata, tunnel.bytes.length);
    out.part(tunnel.bytes, tunnel.split, tunnel.bytes.length);
    out.end();
  }
  out.end();
  return true;
}
const likelyLength = 300;

function writeAddress(out: Writer, at: Cursor, tunnel: Tunnel): true {
  out.begin(at.field);
  rewrite(out, at.enter(), ({ field }) => addressFields.has(field));
  out.part(tunnel.bytes, 0, tunnel.split);
  out.end();
  return true;
}
const addressFields: ReadonlySet<number> = new Set(Object.values(endpointFields));

/** Of what was there, the choice of a socket goes: there is nothing to choose from any more. */
function writeMetadata(out: Writer, at: Cursor, tunnel: Tunnel): true {
  out.begin(at.field, likelyLength);
  rewrite(out, at.enter(), (entry) => entry.isBytes(metadataFields.filterMetadata) && isReplaced(entry));
  out.part(tunnel.bytes, tunnel.split, tunnel.bytes.length);
  out.end();
  return true;
}

const tunnelKey = encodeText(metadataNamespaces.tunnel);
const socketMatchKey = encodeText(metadataNamespaces.transportSocketMatch);
const isReplaced = (entry: Cursor): boolean => hasKey(entry, tunnelKey) || hasKey(entry, socketMatchKey);
