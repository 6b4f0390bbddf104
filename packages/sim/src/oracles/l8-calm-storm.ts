import type { DurationMs } from '@lifeline/core';
import { isWatch, mayWrite, pathOf, type Sent } from '../world/record.ts';
import type { Oracle } from './oracle.ts';

/** Tries of one request in a second. */
const triesPerSecond = 10;
/** A pause that a client may shorten: longer ones are unreasonable. */
const longestPauseMs: DurationMs = 60_000;

interface Pause {
  readonly askedAt: number;
  readonly until: number;
}

export const calmStorm: Oracle = {
  id: 'L8',
  has: () => true,
  attach: ({ report }) => {
    /** When each request was tried in the last second. */
    const tries = new Map<string, number[]>();
    /** Until when a process was asked to leave a plane alone. */
    const pauses = new Map<string, Pause>();
    return {
      sent: (sent) => {
        const pause = pauses.get(laneOf(sent));
        // What left in the same instant was on its way before the answer was read.
        if (pause && sent.at > pause.askedAt && sent.at < pause.until)
          report(
            `${laneOf(sent)} was asked for a pause, and sent a request ${pause.until - sent.at} ms before its end`,
          );
        // A try may read an object more than once; it writes it, or begins a list, once.
        if (!mayWrite(sent.request) && !isCollection(sent)) return;
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
        const until = settledAt + Math.min(retryAfterMs, longestPauseMs);
        if (until > (pauses.get(lane)?.until ?? 0)) pauses.set(lane, { askedAt: settledAt, until });
      },
    };
  },
};

const laneOf = ({ actor, incarnation, plane }: Sent): string => `${actor}.${incarnation} to ${plane}`;

const isCollection = ({ request }: Sent): boolean => /[?&](watch|limit|continue)=/.test(request.url);

/** What makes two requests the same try. */
const tryOf = ({ request }: Sent): string =>
  `${isWatch(request) ? 'WATCH' : request.method} ${pathOf(request.url).replace(/timeoutSeconds=\d+&?/, '')}`;
