/** The last answer. */
import { bufferOver } from '../wire/text.ts';
import type { Draft, DraftCluster, DraftVirtualHost } from './draft.ts';
import { cluster, virtualHost } from './envoy-fields.ts';
import { Recall } from './recall.ts';

export class Memory {
  readonly clusters = new Recall<DraftCluster>(cluster.name);
  readonly virtualHosts = new Recall<DraftVirtualHost>(virtualHost.name);
  /** The answer. */
  bytes: Buffer = Buffer.alloc(0);
  #forgotten: () => void = () => undefined;

  /** @param forgotten called once another is held: until then neither the bytes of the draft nor those of its request may change */
  hold({ bytes, request, clusters, routeConfigurations }: Draft, forgotten: () => void): void {
    this.bytes = bufferOver(bytes);
    this.clusters.hold(clusters, request.bytes);
    this.virtualHosts.hold(
      routeConfigurations.flatMap(({ virtualHosts }) => virtualHosts),
      request.bytes,
    );
    const before = this.#forgotten;
    this.#forgotten = forgotten;
    before();
  }
}
