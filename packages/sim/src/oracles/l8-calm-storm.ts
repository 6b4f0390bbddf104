import type { DurationMs } from '@lifeline/core';
import { isWatch, pathOf, type Sent } from '../world/record.ts';
import type { Oracle } from './oracle.ts';

/** Tries of one request in a second. */
const triesPerSecond = 10;
/** A pause that a client may shorten: longer ones are unreasonable. */
const longestPauseMs: DurationMs = 60_000;

export const calmStorm: Oracle = {
  id: 'L8',
  has: () => true,
  attach: ({ report }) => {
    /** When each request was tried in the last second. */
    const tries = new Map<string, number[]>();
    /** Until when a process was asked to leave a plane alone. */
    const pauses = new Map<string, number>();
    return {
      sent: (sent) => {
        const until = pauses.get(laneOf(sent)) ?? 0;
        if (sent.at < until)
          report(`${laneOf(sent)} was asked for a pause, and sent a request ${until - sent.at} ms before its end`);
        const what = `${laneOf(sent)} ${tryOf(sent)}`;
        const recent = (tries.get(what) ?? []).filter((at) => at > sent.at - 1_000);
        tries.set(what, recent);
        if (recent.push(sent.at) === triesPerSecond + 1)
          report(`${what} was tried ${recent.length} times within a second`);
      },
      settled: (sent) => {
        const { status, retryAfterMs, settledAt } = sent;
        if ((status !== 429 && status !== 503) || retryAfterMs === undefined || settledAt === undefined) return;
        const lane = laneOf(sent);
        pauses.set(lane, Math.max(pauses.get(lane) ?? 0, settledAt + Math.min(retryAfterMs, longestPauseMs)));
      },
    };
  },
};

const laneOf = ({ actor, incarnation, plane }: Sent): string => `${actor}.${incarnation} to ${plane}`;

/** What makes two requests the same try. */
const tryOf = ({ request }: Sent): string =>
  `${isWatch(request) ? 'WATCH' : request.method} ${pathOf(request.url).replace(/timeoutSeconds=\d+&?/, '')}`;
