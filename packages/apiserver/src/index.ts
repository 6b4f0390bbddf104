/** An in-process Kubernetes API for demos and tests: held against the real one by `conformance/`. */
export { createApiServer } from './create-api-server.ts';
export type { ApiServer, ApiServerOptions, DelaySpan, Replica, Token } from './server.ts';
export type { Listening, ListenOptions } from './http/listen.ts';
export { parseTokenFile, TokenFileError } from './auth/token-file.ts';
export type { Revision, Snapshot } from './storage/store.ts';
export { ApiError, type Cause } from './api-error.ts';
