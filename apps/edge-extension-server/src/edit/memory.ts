/** The last answer. */
import { bufferOver } from '../wire/text.ts';
import type { AnsweredCluster, AnsweredVirtualHost, Draft } from './draft.ts';
import type { SeenGateway } from './editor.ts';
import { cluster, virtualHost } from './envoy-fields.ts';
import { Recall } from './recall.ts';
import { type ResourceTable } from './resource-table.ts';

/** The tables of a draft. */
export interface Tables {
  readonly clusters: ResourceTable<AnsweredCluster>;
  readonly virtualHosts: ResourceTable<AnsweredVirtualHost>;
}

export class Memory {
  readonly clusters = new Recall<AnsweredCluster>(cluster.name);
  readonly virtualHosts = new Recall<AnsweredVirtualHost>(virtualHost.name);
  /** The answer. */
  bytes: Buffer = Buffer.alloc(0);
  /** The Gateways that its request was about. */
  gateways: readonly SeenGateway[] = [];
  /** Each virtual host of its request is in the answer. */
  isWhole = true;
  /** {@link ClusterNames.numbering} of its clusters. */
  numbering = 0;
  /** Another number for each answer. */
  generation = 0;
  #forgotten: () => void = () => undefined;

  /**
   * @param forgotten called once another is held: until then neither the bytes of the draft nor those of its request may change
   * @returns tables that are not needed any more
   */
  hold({ bytes, request, clusters, virtualHosts, names }: Draft, forgotten: () => void): Tables {
    this.generation++;
    this.bytes = bufferOver(bytes);
    this.gateways = request.gateways;
    this.numbering = names.numbering;
    this.isWhole = virtualHosts.size === request.virtualHostCount;
    const unused = {
      clusters: this.clusters.hold(clusters, request.bytes),
      virtualHosts: this.virtualHosts.hold(virtualHosts, request.bytes),
    };
    for (const table of Object.values(unused)) table.clear();
    const before = this.#forgotten;
    this.#forgotten = forgotten;
    before();
    return unused;
  }
}
