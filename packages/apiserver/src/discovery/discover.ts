import type { TransportRequest, TransportResponse } from '@lifeline/core';
import type { Server } from '../server-parts.ts';

/** `/api`, `/apis`, `/api/v1`, `/apis/GROUP[/VERSION]`, `/openapi/v3[/…]`, `/openapi/v2`. Undefined for every other path. */
export const discover = (_server: Server, _request: TransportRequest, _path: string): TransportResponse | undefined =>
  undefined;
