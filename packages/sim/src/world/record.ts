/** What the audit keeps of a run: who sent what, and what came of it. */
import type { MonotonicMs, TransportRequest } from '@lifeline/core';
import type { Revision } from '@lifeline/apiserver';

/** A request, from the moment it leaves an app. */
export interface Sent {
  readonly seq: number;
  readonly at: MonotonicMs;
  /** A replica, or somebody who is none of ours. */
  readonly actor: string;
  /** Which process of the replica, from 1; 0 for others. */
  readonly incarnation: number;
  readonly plane: string;
  readonly request: TransportRequest;
  /** The server itself carried it out. */
  taken: boolean;
  /** Undefined while there is no answer, and for good when there never is one. */
  status: number | undefined;
  settledAt: MonotonicMs | undefined;
  /** The pause that the answer asked for. */
  retryAfterMs: number | undefined;
  /** What it changed, whether or not the answer arrived. */
  readonly writes: Write[];
}

/** A revision of a plane, and where it came from. */
export interface Write {
  readonly at: MonotonicMs;
  readonly plane: string;
  readonly revision: Revision;
  /** Undefined: the plane's own controllers. */
  readonly by: Sent | undefined;
}

/** What a process learned of an object. */
export interface Read {
  readonly at: MonotonicMs;
  readonly actor: string;
  readonly incarnation: number;
  readonly how: 'listed' | 'applied' | 'deleted';
  readonly plane: string;
  /** The kind's id. */
  readonly kind: string;
  readonly key: string;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

/** `PATCH target /api/v1/namespaces/mirrors/configmaps/a`, without the query. */
export const whatOf = ({ plane, request }: Pick<Sent, 'plane' | 'request'>): string =>
  `${request.method} ${plane} ${pathOf(request.url).replace(/\?.*/, '')}`;

/** Path and query of a URL. */
export function pathOf(url: string): string {
  const slash = url.indexOf('/', url.indexOf('//') + 2);
  return slash < 0 ? '/' : url.slice(slash);
}

/** A watch lasts; everything else is an exchange. */
export const isWatch = ({ url }: TransportRequest): boolean => url.includes('watch=true');

/** It may change something. */
export const mayWrite = ({ method }: TransportRequest): boolean => method !== 'GET';
