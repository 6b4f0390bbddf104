/** Which of a kind's versions a server speaks. */
import {
  type Clock,
  type DurationMs,
  isJsonArray,
  isJsonObject,
  type JsonValue,
  type Kind,
  later,
  type MonotonicMs,
} from '@lifeline/core';
import type { Log } from '../app/env.ts';
import { isKubeError } from './kube-error.ts';

export interface VersionResolverOptions {
  /** A discovery document. @throws KubeError `kind-missing` where there is none */
  readonly discover: (path: string, signal: AbortSignal) => Promise<JsonValue>;
  readonly clock: Clock;
  readonly log?: Log | undefined;
}

/** A kind that is not served in any of its versions is not looked up again sooner. */
const lookAgainMs: DurationMs = 10_000;

/**
 * Speaks a kind's own version until the server does not know it, then the newest of the kind's versions that the server serves it in.
 * Asks for discovery only then.
 */
export class VersionResolver {
  readonly #options: VersionResolverOptions;
  readonly #chosen = new Map<string, string>();
  /** By kind: nothing was found; look again then. */
  readonly #missing = new Map<string, MonotonicMs>();

  constructor(options: VersionResolverOptions) {
    this.#options = options;
  }

  /** @throws what `attempt` throws, or what discovery does: a server that cannot be asked has not said that a kind is missing */
  async speak<R>(kind: Kind, signal: AbortSignal, attempt: (version: string) => Promise<R>): Promise<R> {
    const version = this.#versionOf(kind);
    try {
      return await attempt(version);
    } catch (error) {
      if (!isKubeError(error, 'kind-missing')) throw error;
      const other = await this.#otherThan(version, kind, signal);
      if (other === undefined) throw error;
      return attempt(other);
    }
  }

  #versionOf(kind: Kind): string {
    return this.#chosen.get(kind.id) ?? kind.version;
  }

  async #otherThan(version: string, kind: Kind, signal: AbortSignal): Promise<string | undefined> {
    if (this.#versionOf(kind) !== version) return this.#versionOf(kind); // found while we were asking
    const { clock, log } = this.#options;
    if (kind.versions.length < 2 || (this.#missing.get(kind.id) ?? 0) > clock.monotonic()) return undefined;
    const found = await this.#lookUp(kind, signal);
    if (found === undefined || found === version) {
      this.#missing.set(kind.id, later(clock.monotonic(), lookAgainMs));
      return undefined;
    }
    this.#chosen.set(kind.id, found);
    this.#missing.delete(kind.id);
    log?.info({ kind: kind.id, version: found }, 'the server does not serve the version that was spoken so far');
    return found;
  }

  async #lookUp({ group, versions, plural }: Kind, signal: AbortSignal): Promise<string | undefined> {
    const offered = namesIn(await this.#document(`/apis/${group}`, signal), 'versions', 'version');
    for (const version of versions) {
      if (!offered.includes(version)) continue;
      const resources = await this.#document(`/apis/${group}/${version}`, signal);
      if (namesIn(resources, 'resources', 'name').includes(plural)) return version;
    }
    return undefined;
  }

  async #document(path: string, signal: AbortSignal): Promise<JsonValue> {
    try {
      return await this.#options.discover(path, signal);
    } catch (error) {
      if (isKubeError(error, 'kind-missing')) return null;
      throw error;
    }
  }
}

/** The `field`s of a list of objects. */
function namesIn(document: JsonValue, list: string, field: string): readonly unknown[] {
  const items = isJsonObject(document) ? document[list] : undefined;
  return isJsonArray(items) ? items.map((item) => (isJsonObject(item) ? item[field] : undefined)) : [];
}
