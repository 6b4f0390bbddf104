/** Who we say we are in each request. */
import type { Credential, CredentialOptions, CredentialSource } from './credential.ts';
import type { Credentials, Endpoint, ExecCredentials } from './endpoint.ts';
import { ExecPlugin } from './exec-plugin.ts';
import { Polled } from './polled.ts';
import { TransportError } from './transport-error.ts';

export function credentialSource(endpoint: Endpoint, options: CredentialOptions): CredentialSource {
  const credentials: Credentials = endpoint.credentials ?? { type: 'none' };
  switch (credentials.type) {
    case 'none':
      return fixed(undefined);
    case 'token':
      return fixed(bearer(credentials.token));
    case 'basic':
      return fixed(`Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`);
    case 'tokenFile':
      return tokenFile(credentials.path, options);
    case 'exec':
      return new ExecPlugin(credentials, endpoint, options);
  }
}

/** Endpoints with the same key may share one source. */
export function credentialKey({ credentials, server, tls }: Endpoint): string {
  return JSON.stringify([credentials, credentials && needsCluster(credentials) ? [server, tls] : []]);
}

const needsCluster = (credentials: Credentials): credentials is ExecCredentials =>
  credentials.type === 'exec' && credentials.provideClusterInfo;

const bearer = (token: string): string => `Bearer ${token}`;

function fixed(authorization: string | undefined): CredentialSource {
  const credential: Credential = { authorization };
  return { current: () => credential, replace: async (used) => used };
}

/** A token that is rotated in its file: at most a minute old when used, and read again when it was refused. */
function tokenFile(path: string, { clock, files, log, signal }: CredentialOptions): CredentialSource {
  const token = new Polled<Credential>({
    clock,
    log,
    what: `token (${path})`,
    load: async () => {
      const text = new TextDecoder().decode(await files.read(path, signal)).trim();
      if (text === '') throw new TransportError('no-credentials', `${path} is empty`);
      return { authorization: bearer(text) };
    },
    same: (a, b) => a.authorization === b.authorization,
  });
  const first = (cause: unknown): never => {
    throw new TransportError('no-credentials', `no token in ${path}`, { cause });
  };
  return {
    current() {
      const credential = token.current();
      return credential instanceof Promise ? credential.catch(first) : credential;
    },
    replace: (used) => token.refresh().catch(() => used),
  };
}
