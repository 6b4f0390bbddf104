/** Reads of a hook request where its resources stand, and which Gateways it is about. */
import type { ObjectKey } from '@lifeline/core';
import { Cursor } from '../wire/cursor.ts';
import type { Slice } from '../wire/text.ts';
import type { DraftVirtualHost } from './draft.ts';
import type { SeenGateway } from './editor.ts';
import { requestFields, routeConfiguration, virtualHost } from './envoy-fields.ts';
import type { NamedObject, ObjectNames } from './object-names.ts';
import type { Recall } from './recall.ts';
import type { RequestParts, RouteConfigurationPart, VirtualHostPart } from './request.ts';
import { readResourceRef } from './resource-ref.ts';
import { readStamp } from './stamp.ts';

export interface ScanInputs {
  readonly names: ObjectNames;
  /** Under which a stamp stands in metadata. */
  readonly stampKey: Uint8Array;
  /** Those of the last answer: what they say needs no reading. */
  readonly recall: Recall<DraftVirtualHost>;
}

/** @throws WireError when the request, or a list in it, is no message */
export function scanRequest(bytes: Uint8Array, inputs: ScanInputs): RequestParts {
  const clusters: Slice[] = [];
  const secrets: Slice[] = [];
  const listeners: Slice[] = [];
  const routeConfigurations: RouteConfigurationPart[] = [];
  const virtualHosts = new VirtualHosts(inputs);
  const cursor = new Cursor(bytes);
  while (cursor.next()) {
    if (cursor.isBytes(requestFields.clusters)) clusters.push(cursor.slice());
    else if (cursor.isBytes(requestFields.secrets)) secrets.push(cursor.slice());
    else if (cursor.isBytes(requestFields.listeners)) listeners.push(cursor.slice());
    else if (cursor.isBytes(requestFields.routes)) {
      routeConfigurations.push({ ...cursor.slice(), virtualHosts: virtualHosts.of(cursor.enter()) });
    }
  }
  return { bytes, clusters, secrets, listeners, routeConfigurations, gateways: [...virtualHosts.gateways.values()] };
}

/** Those of one request. */
class VirtualHosts {
  /** By key. The stamp is that of the first virtual host: all of a Gateway have the same. */
  readonly gateways = new Map<ObjectKey, SeenGateway>();
  readonly #inputs: ScanInputs;
  #count = 0;

  constructor(inputs: ScanInputs) {
    this.#inputs = inputs;
  }

  of(configuration: Cursor): VirtualHostPart[] {
    const parts: VirtualHostPart[] = [];
    while (configuration.next()) {
      if (configuration.isBytes(routeConfiguration.virtualHosts)) parts.push(this.#part(configuration));
    }
    return parts;
  }

  #part(at: Cursor): VirtualHostPart {
    const ordinal = this.#count++;
    const { names, stampKey, recall } = this.#inputs;
    const held = recall.find(at, ordinal)?.part;
    if (held) {
      const gateway = held.gateway && this.#seen(held.gateway, held.stamp);
      return { bytes: at.bytes, from: at.from, to: at.to, ordinal, gateway, stamp: held.stamp };
    }
    const message = at.enter();
    const ref = message.seek(virtualHost.metadata) ? readResourceRef(message.enter()) : undefined;
    const stamp = ref && readStamp(ref, stampKey);
    const gateway =
      ref?.kind === 'Gateway' && ref.namespace && ref.name
        ? this.#seen(names.of(ref.namespace, ref.name), stamp)
        : undefined;
    return { bytes: at.bytes, from: at.from, to: at.to, ordinal, gateway, stamp };
  }

  #seen({ key, namespace, name }: NamedObject, stamp: string | undefined): SeenGateway {
    const held = this.gateways.get(key);
    if (held) return held;
    const gateway = { key, namespace, name, stamp };
    this.gateways.set(key, gateway);
    return gateway;
  }
}
