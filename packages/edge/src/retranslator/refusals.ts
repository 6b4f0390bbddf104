/**
 * What Envoy Gateway says of itself: an answer of the hook is not yet what Envoy runs. When the count of translations that it could not
 * publish, or that an Envoy refused, has risen, what was answered to it counts as lost.
 *
 * @see envoyproxy/gateway@v1.9.1 internal/message/watchutil.go, internal/xds/cache/snapshotcache.go
 */
import { type Clock, describeError, type DurationMs, readAll, type Transport } from '@lifeline/core';
import type { Log } from '@lifeline/k8s';

export interface RefusalsOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Of an Envoy Gateway process. */
  readonly url: string;
  readonly transport: Transport;
  /** It refused something. */
  readonly refused: () => void;
}

const everyMs: DurationMs = 5_000;
const counters: readonly RegExp[] = [
  /^watchable_subscribe_total\{(?=[^}]*\brunner="xds")(?=[^}]*\bstatus="failure")[^}]*\} (\S+)$/gm,
  /^xds_nack_total(?:\{[^}]*\})? (\S+)$/gm,
];

/** Sum of the counters that rise when something was not published or not taken. */
export const refusalsIn = (text: string): number =>
  counters.flatMap((pattern) => [...text.matchAll(pattern)]).reduce((sum, [, value]) => sum + Number(value), 0);

/** Asks every 5 s until the signal aborts. A count that fell is that of a new process. What cannot be read is said once. */
export async function watchRefusals(options: RefusalsOptions, signal: AbortSignal): Promise<void> {
  const { clock, log, url, refused } = options;
  let last: number | undefined;
  let silent = false;
  while (!signal.aborted) {
    try {
      const now = refusalsIn(await metricsOf(options, signal));
      if (last !== undefined && now > last) refused();
      last = now;
      silent = false;
    } catch (error) {
      if (signal.aborted) return;
      if (!silent)
        log.warn(
          { url, error: describeError(error) },
          "Envoy Gateway's metrics cannot be read: what it refuses is not seen",
        );
      silent = true;
    }
    await clock.sleep(everyMs, signal).catch(() => undefined);
  }
}

async function metricsOf({ url, transport }: RefusalsOptions, signal: AbortSignal): Promise<string> {
  const { status, body } = await transport({ method: 'GET', url, headers: { accept: 'text/plain' } }, { signal });
  const text = new TextDecoder().decode(await readAll(body));
  if (status !== 200) throw new Error(`${url} answered ${status}`);
  return text;
}
