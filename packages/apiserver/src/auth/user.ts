/** Who asks. */
export interface User {
  readonly name: string;
  readonly uid?: string | undefined;
  readonly groups: readonly string[];
}

/** Whoever calls a server in process without credentials, or any server with authorization off and no tokens. */
export const systemAdmin: User = { name: 'system:admin', groups: ['system:masters', 'system:authenticated'] };

/** Whoever shows no credentials that could be looked at. */
export const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
