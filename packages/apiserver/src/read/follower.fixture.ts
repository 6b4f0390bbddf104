/** A client that keeps a copy of what it selects, by list and watch, and says when it is told what cannot be. */
import type { JsonObject } from '@lifeline/core';
import type { TestPlane, WatchReader } from '../plane.fixture.ts';

export class Follower {
  /** Revisions by name. */
  readonly copy = new Map<string, string>();
  readonly complaints: string[] = [];
  readonly #plane: TestPlane;
  readonly #path: string;
  readonly #selector: string;
  #watch: WatchReader | undefined;

  /** @param selector as in a query */
  constructor(plane: TestPlane, path: string, selector: string) {
    this.#plane = plane;
    this.#path = path;
    this.#selector = selector;
  }

  /** Lists, from the cache if it may be stale, and watches from there. */
  async begin(stale: boolean): Promise<void> {
    await this.#watch?.stop();
    const list = await this.#plane.ask(`${this.#path}?${this.#selector}${stale ? '&resourceVersion=0' : ''}`);
    this.copy.clear();
    for (const { metadata } of list.body.items as { metadata: { name: string; resourceVersion: string } }[]) {
      this.copy.set(metadata.name, metadata.resourceVersion);
    }
    const { resourceVersion } = list.body.metadata as { resourceVersion: string };
    this.#watch = await this.#plane.watch(`${this.#path}?watch=1&resourceVersion=${resourceVersion}&${this.#selector}`);
  }

  /** Takes in what it was told; begins anew where it has to. */
  async catchUp(): Promise<void> {
    if (!this.#watch) return;
    for (const event of await this.#watch.events()) this.#take(event);
    if (this.#watch.end !== undefined) await this.begin(false);
  }

  async stop(): Promise<void> {
    await this.#watch?.stop();
  }

  #take({ type, object }: JsonObject): void {
    const { name = '', resourceVersion = '' } = ((object as JsonObject).metadata ?? {}) as Partial<
      Record<string, string>
    >;
    const known = this.copy.get(name);
    if (type === 'ERROR') return;
    if ((type === 'ADDED') !== (known === undefined))
      this.complaints.push(`${type as string} ${name}, known: ${known}`);
    if (known !== undefined && Number(resourceVersion) <= Number(known)) {
      this.complaints.push(`${name} goes from ${known} back to ${resourceVersion}`);
    }
    if (type === 'DELETED') this.copy.delete(name);
    else this.copy.set(name, resourceVersion);
  }
}
