/** A request, understood: what is left to do once it is known who asks for what. */
import type { EpochMs, TransportRequest, TransportResponse } from '@lifeline/core';
import type { User } from '../auth/user.ts';
import type { Resource, ResourceVersion, Verb } from '../resources/resource.ts';
import type { Server } from '../server-parts.ts';
import type { OutputForm } from './negotiate.ts';

export interface Call {
  readonly request: TransportRequest;
  readonly verb: Verb;
  readonly resource: Resource;
  /** The version in which the client speaks. */
  readonly version: ResourceVersion;
  /** Undefined for cluster-scoped resources, and for lists and watches over all namespaces. */
  readonly namespace: string | undefined;
  /** Undefined for what concerns many, and for creates. Of a list or watch: the only name that its field selector leaves. */
  readonly name: string | undefined;
  /** `finalize` for namespaces only. */
  readonly subresource: 'status' | 'scale' | 'finalize' | undefined;
  readonly query: URLSearchParams;
  readonly user: User;
  readonly signal: AbortSignal;
  readonly receivedAt: EpochMs;
  /** How the client wants to have it. */
  readonly output: OutputForm;
}

/** Carries a call out. Synchronous: what it reads, it reads in the turn in which it writes. @throws ApiError */
export type Handler = (server: Server, call: Call) => TransportResponse;
