/** What the two protocol versions have in common. */
import type { TransportResponse } from '@lifeline/core';

/** A request as it goes out: below the credentials, so a header may repeat. */
export interface WireRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Uint8Array | undefined;
}

/** Short exchanges, or ones that stay open: they do not get in each other's way. */
export type Lane = 'unary' | 'watch';

export interface ExchangeOptions {
  readonly signal: AbortSignal;
  readonly admit: (() => void) | undefined;
  readonly lane: Lane;
  /** Called when the body of an answer has ended, failed or been dropped. Not for an exchange that rejects. */
  readonly onBodySettled: () => void;
}

export type Exchange = (request: WireRequest, options: ExchangeOptions) => Promise<TransportResponse>;

/** Header values as {@link TransportResponse} has them; pseudo headers left out. */
export function plainHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || name.startsWith(':')) continue;
    plain[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return plain;
}
