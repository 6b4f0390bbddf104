/** Faults that wait for an effective write of a replica: one that changed something, whether or not the app gets to know. */
import type { TransportResponse } from '@lifeline/core';
import { mayWrite, type Sent } from '../world/record.ts';
import { type FaultSite, textArg } from './fault.ts';

/**
 * Calls `act` with the answer of the n-th effective write from now on (by default the first), in place of handing it to the app.
 *
 * Elections do not count: a Lease is written whatever else happens.
 */
export function afterWrite(
  { world, step, fired }: FaultSite,
  act: (response: TransportResponse, signal: AbortSignal) => Promise<TransportResponse>,
): Disposable {
  const replica = typeof step.at === 'number' ? textArg(step, 'replica') : step.at.replica;
  let left = typeof step.at === 'number' ? 1 : step.at.nth;
  return world.wires.put(
    (sent) => {
      if (!mayWrite(sent.request) || isElection(sent) || left === 0) return undefined;
      return (next) => async (request, options) => {
        const response = await next(request, options);
        if (sent.writes.length === 0 || left === 0 || --left > 0) return response;
        fired();
        return act(response, options.signal);
      };
    },
    { actor: replica },
  );
}

export const isElection = ({ request }: Pick<Sent, 'request'>): boolean => request.url.includes('/leases');

/** Lets go of a response that nobody will read. */
export async function release({ body }: TransportResponse): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}
