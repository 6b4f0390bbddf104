/** Reads of a hook request where its resources stand, and which Gateways it is about. */
import type { ObjectKey } from '@lifeline/core';
import { Cursor } from '../wire/cursor.ts';
import type { Slice } from '../wire/text.ts';
import type { SeenGateway } from './editor.ts';
import { requestFields, routeConfiguration, virtualHost } from './envoy-fields.ts';
import type { Memory } from './memory.ts';
import type { ObjectNames } from './object-names.ts';
import {
  areTheHeld,
  type RequestParts,
  type RouteConfigurationPart,
  type Run,
  type VirtualHostOwner,
  type VirtualHostRun,
} from './request.ts';
import { readResourceRef } from './resource-ref.ts';
import { readStamp } from './stamp.ts';

export interface ScanInputs {
  readonly names: ObjectNames;
  /** Under which a stamp stands in metadata. */
  readonly stampKey: Uint8Array;
  /** The last answer: what stood in its request needs no reading. */
  readonly memory: Memory;
}

/** @throws WireError when the request, or a list in it, is no message */
export function scanRequest(bytes: Uint8Array, inputs: ScanInputs): RequestParts {
  const { memory } = inputs;
  const clusters: Run[] = [];
  const secrets: Slice[] = [];
  const listeners: Slice[] = [];
  const routeConfigurations: RouteConfigurationPart[] = [];
  const virtualHosts = new VirtualHosts(inputs);
  memory.clusters.rewind();
  const cursor = new Cursor(bytes);
  while (cursor.next()) {
    if (cursor.isBytes(requestFields.clusters)) clusters.push(memory.clusters.run(cursor));
    else if (cursor.isBytes(requestFields.secrets)) secrets.push(cursor.slice());
    else if (cursor.isBytes(requestFields.listeners)) listeners.push(cursor.slice());
    else if (cursor.isBytes(requestFields.routes)) {
      routeConfigurations.push({ ...cursor.slice(), runs: virtualHosts.of(cursor.enter()) });
    }
  }
  return {
    bytes,
    clusters,
    secrets,
    listeners,
    routeConfigurations,
    virtualHostCount: virtualHosts.count,
    gateways: virtualHosts.gateways(routeConfigurations),
    generation: memory.generation,
    heldVirtualHosts: memory.virtualHosts.table,
  };
}

/** Those of one request. */
class VirtualHosts {
  readonly #inputs: ScanInputs;
  count = 0;

  constructor(inputs: ScanInputs) {
    this.#inputs = inputs;
    inputs.memory.virtualHosts.rewind();
  }

  of(configuration: Cursor): VirtualHostRun[] {
    const { memory } = this.#inputs;
    const runs: VirtualHostRun[] = [];
    while (configuration.next()) {
      if (!configuration.isBytes(routeConfiguration.virtualHosts)) continue;
      const run = memory.virtualHosts.run(configuration);
      const owner = run.held < 0 ? this.#ownerOf(configuration) : undefined;
      runs.push({ ...run, ordinal: this.count, owner });
      this.count += run.count;
    }
    return runs;
  }

  /** Each once. The stamp is that of the first virtual host: all of a Gateway have the same. */
  gateways(configurations: readonly RouteConfigurationPart[]): readonly SeenGateway[] {
    const { memory } = this.#inputs;
    const { table } = memory.virtualHosts;
    const runs = configurations.flatMap((each) => each.runs);
    if (memory.isWhole && areTheHeld(runs, table.size)) return memory.gateways;
    const gateways = new Map<ObjectKey, SeenGateway>();
    const see = ({ gateway, stamp }: VirtualHostOwner): void => {
      if (!gateway || gateways.has(gateway.key)) return;
      const { key, namespace, name } = gateway;
      gateways.set(key, { key, namespace, name, stamp });
    };
    for (const { held, count, owner } of runs) {
      if (owner) see(owner);
      if (held >= 0) for (let number = held; number < held + count; number++) see(table.item(number).owner);
    }
    return [...gateways.values()];
  }

  #ownerOf(at: Cursor): VirtualHostOwner {
    const { names, stampKey } = this.#inputs;
    const message = at.enter();
    const ref = message.seek(virtualHost.metadata) ? readResourceRef(message.enter()) : undefined;
    const stamp = ref && readStamp(ref, stampKey);
    if (ref?.kind !== 'Gateway' || !ref.namespace || !ref.name) return { gateway: undefined, stamp };
    return { gateway: names.of(ref.namespace, ref.name), stamp };
  }
}
