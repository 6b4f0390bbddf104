/** How an Envoy Gateway asks an extension server: the seam at which a world plugs one in. */
import { PlatformError } from '@lifeline/core';
import type { XdsSnapshot } from './xds.ts';

/** gRPC status codes that a call may end with; `EOF`: the connection broke under it. */
export type HookCode =
  'UNAVAILABLE' | 'INTERNAL' | 'INVALID_ARGUMENT' | 'DEADLINE_EXCEEDED' | 'RESOURCE_EXHAUSTED' | 'EOF';

export class HookError extends PlatformError<HookCode> {}

/** A `PostTranslateModifyRequest` as it travels. */
export interface HookRequest {
  readonly bytes: Uint8Array;
}

/** Answers with the bytes of a `PostTranslateModifyResponse`. @throws HookError */
export type Hook = (request: HookRequest, options: { readonly signal: AbortSignal }) => Promise<Uint8Array>;

/** Those that listen now; an Envoy Gateway talks to the first. None: the connection is refused. */
export type Hooks = () => readonly Hook[];

/** Wraps a hook: faults. */
export type HookInterceptor = (next: Hook, all: readonly Hook[]) => Hook;

/** A call, as it ended. */
export interface HookCall {
  readonly key: string;
  readonly request: HookRequest;
  /** What the request says. */
  readonly asked: XdsSnapshot;
  readonly outcome:
    | { readonly at: 'answered'; readonly answer: XdsSnapshot; readonly bytes: Uint8Array }
    /** `injected`: a fault of the world's, not the hook's own doing. */
    | { readonly at: 'failed'; readonly code: HookCode; readonly injected: boolean };
}
