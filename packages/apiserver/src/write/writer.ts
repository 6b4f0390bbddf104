/** Who writes, and how. */
import { formatTime } from '@lifeline/core';
import type { Author } from '../apply/field-manager.ts';
import { systemAdmin, type User } from '../auth/user.ts';
import type { Call } from '../http/call.ts';
import type { Spoken } from '../resources/spoken.ts';
import { apiVersionOf, type StrategyContext } from '../resources/resource.ts';
import type { Server } from '../server-parts.ts';
import { Warnings } from './warnings.ts';
import { managerOf, type WriteOptions } from './write-options.ts';

export interface Writer {
  readonly author: Author;
  readonly user: User;
  /** Everything happens but the write itself. */
  readonly dryRun: boolean;
  readonly warnings: Warnings;
  /** How much the writer sent, in bytes: by so much an object may have grown. */
  readonly sent: number;
}

/** Who made a request. */
export function callerAsWriter(
  call: Call,
  { fieldManager, dryRun }: Pick<WriteOptions, 'fieldManager' | 'dryRun'>,
): Writer {
  const { request, resource, version, subresource, user, receivedAt } = call;
  return {
    author: {
      manager: fieldManager ?? managerOf(request.headers['user-agent']),
      subresource,
      time: formatTime(receivedAt),
      apiVersion: apiVersionOf(resource, version.name),
    },
    user,
    dryRun,
    warnings: new Warnings(),
    sent: request.body?.length ?? 0,
  };
}

/** A controller inside the server, which writes as `manager`. */
export function controllerAsWriter(
  { clock }: Server,
  { resource, version }: Spoken,
  { manager, subresource }: { readonly manager: string; readonly subresource?: string | undefined },
): Writer {
  return {
    author: {
      manager,
      subresource,
      time: formatTime(clock.now()),
      apiVersion: apiVersionOf(resource, version.name),
    },
    user: systemAdmin,
    dryRun: false,
    warnings: new Warnings(),
    sent: 0,
  };
}

export const strategyContext = (server: Server, { user, author }: Writer): StrategyContext => ({
  server,
  user,
  now: author.time,
  random: server.random,
  subresource: author.subresource,
});
