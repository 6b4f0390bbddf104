/** The certificates of a server, followed through rotation. */
import { dirname } from 'node:path';
import { type Clock, describeError, type DurationMs, linkAbort, metricDefinitions } from '@lifeline/core';
import type { Files, Log, Metrics } from '@lifeline/k8s';
import { type CertificateFiles, type Material, readMaterial } from './material.ts';
import type { WatchFolder } from './watch-folder.ts';

/** Certificates as a server uses them. */
export interface Certificates {
  readonly current: Material;
  /** Told of each new material; `current` is it already. */
  subscribe(changed: (now: Material, before: Material) => void): Disposable;
}

export interface FollowOptions {
  readonly clock: Clock;
  readonly files: Files;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Where there is one, a change is seen within a second or two, else within half a minute. */
  readonly watchFolder?: WatchFolder | undefined;
}

const pollEveryMs: DurationMs = 30_000;
/** Files of one rotation are written one after the other. */
const settleMs: DurationMs = 1_000;

/**
 * Guarantees: certificate, key and authorities change together or not at all; what is bad (half-written, a key of another certificate,
 * expired) keeps what was there and is logged once; files are compared by content, so it does not matter how they were swapped.
 * `lifeline_certificate_expiry_seconds{use}` shows what is in use: `server`, `client-ca`.
 */
export class FollowedCertificates implements Certificates {
  readonly #paths: CertificateFiles;
  readonly #options: FollowOptions;
  readonly #listeners = new Set<(now: Material, before: Material) => void>();
  #current: Material;
  /** Why the last reading was refused; said once. */
  #refused: string | undefined;

  private constructor(paths: CertificateFiles, options: FollowOptions, first: Material) {
    this.#paths = paths;
    this.#options = options;
    this.#current = first;
  }

  /** @throws FileError, CertificateError: a server does not start with certificates that it cannot use */
  static async load(
    paths: CertificateFiles,
    options: FollowOptions,
    signal: AbortSignal,
  ): Promise<FollowedCertificates> {
    const { clock, files } = options;
    const first = await readMaterial(paths, { files, now: clock.now(), signal });
    return new FollowedCertificates(paths, options, first);
  }

  get current(): Material {
    return this.#current;
  }

  subscribe(changed: (now: Material, before: Material) => void): Disposable {
    const listener = (now: Material, before: Material): void => changed(now, before);
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Follows the files until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, metrics, watchFolder } = this.#options;
    using _expiry = metrics.collect(metricDefinitions.certificateExpiry, () => this.#expiry());
    let pause = linkAbort(signal);
    using folders = new DisposableStack();
    const { ca, certificate, key } = this.#paths;
    for (const folder of new Set([ca, certificate, key].map((path) => dirname(path))))
      if (watchFolder) folders.use(watchFolder(folder, () => pause.abort()));
    while (!signal.aborted) {
      await endOf(clock.sleep(pollEveryMs, pause.signal));
      pause[Symbol.dispose]();
      // A hint from here on cuts the next pause short: what is read now may be only half of it.
      pause = linkAbort(signal);
      await endOf(clock.sleep(settleMs, signal));
      if (!signal.aborted) await this.#reload(signal);
    }
    pause[Symbol.dispose]();
  }

  async #reload(signal: AbortSignal): Promise<void> {
    const { clock, files, log } = this.#options;
    const before = this.#current;
    let read: Material;
    try {
      read = await readMaterial(this.#paths, { files, now: clock.now(), signal });
    } catch (error) {
      const reason = describeError(error);
      if (!signal.aborted && reason !== this.#refused)
        log.error({ reason }, 'the new certificates cannot be used: keeping the old ones');
      this.#refused = reason;
      return;
    }
    this.#refused = undefined;
    if (read.digest === before.digest) return;
    this.#current = read;
    log.info({ expiresAt: new Date(read.expiresAt.server).toISOString() }, 'new certificates');
    for (const listener of this.#listeners) listener(read, before);
  }

  *#expiry(): Iterable<{ labels: { use: string }; value: number }> {
    const { server, clientCa } = this.#current.expiresAt;
    const now = this.#options.clock.now();
    yield { labels: { use: 'server' }, value: (server - now) / 1000 };
    yield { labels: { use: 'client-ca' }, value: (clientCa - now) / 1000 };
  }
}

/** Slept through or cut short. */
const endOf = (sleep: Promise<void>): Promise<void> => sleep.catch(() => undefined);
