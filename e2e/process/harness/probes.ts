/** Whether something answers 200: who says nothing in time does not. */
import { get as getPlain, type IncomingMessage, type RequestOptions } from 'node:http';
import { get as getSecure } from 'node:https';
import { deadlineAbort, systemClock } from '@lifeline/core';

const limitMs = 2_000;

export async function answersHttp(url: string): Promise<boolean> {
  using limit = deadlineAbort(systemClock, limitMs);
  try {
    const response = await fetch(url, { signal: limit.signal });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** @param url below an API server, or another server that its authority has signed */
export const answersHttps = (url: string, ca: string, token = ''): Promise<boolean> =>
  answers((options, told) =>
    getSecure(url, { ...options, ca, ...(token && { headers: { authorization: `Bearer ${token}` } }) }, told),
  );

/** At a Unix socket. */
export const answersOver = (socketPath: string, path: string): Promise<boolean> =>
  answers((options, told) => getPlain({ ...options, socketPath, path }, told));

function answers(
  ask: (options: RequestOptions, told: (response: IncomingMessage) => void) => ReturnType<typeof getPlain>,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const asked = ask({ agent: false, timeout: limitMs }, (response) => {
    response.resume();
    resolve(response.statusCode === 200);
  });
  asked.on('timeout', () => asked.destroy());
  asked.on('error', () => resolve(false));
  return promise;
}
