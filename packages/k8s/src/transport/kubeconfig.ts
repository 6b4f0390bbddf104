/** From kubeconfig contexts to endpoints. */
import { delimiter, dirname, join } from 'node:path';
import type { Cluster, Context, User } from '@kubernetes/client-node/dist/config_types.js';
import type { Files } from '../app/env.ts';
import type { Credentials, Endpoint, EndpointTls, Impersonation, PemSource } from './endpoint.ts';
import { FileError } from './files.ts';
import { KubeconfigError } from './kubeconfig-error.ts';
import { execOf } from './kubeconfig-exec.ts';
import {
  decodedText,
  type Entry,
  isRecord,
  type KubeconfigFile,
  pathIn,
  readKubeconfig,
  textOf,
} from './kubeconfig-file.ts';

/** A way into a cluster, and what goes with it. */
export interface LoadedEndpoint {
  readonly endpoint: Endpoint;
  /** Where to look when nobody says. */
  readonly namespace: string | undefined;
  /** Its name in the kubeconfig; undefined in a pod. */
  readonly context: string | undefined;
}

export interface LoadKubeconfigOptions {
  /** Merged: the first that has a cluster, user, context or current context of a name wins, as in kubectl. */
  readonly paths: readonly string[];
  readonly files: Files;
  readonly signal: AbortSignal;
  /** Default: the current context. */
  readonly context?: string | undefined;
}

/**
 * Relative paths in a file start at that file's folder. Of several files some may be missing, one alone must be there. Certificate and
 * token files are not opened here.
 *
 * @throws KubeconfigError
 */
export async function loadKubeconfig({
  paths,
  files,
  signal,
  context,
}: LoadKubeconfigOptions): Promise<LoadedEndpoint> {
  const read: KubeconfigFile[] = [];
  for (const path of paths) {
    const bytes = await files.read(path, signal).catch((error: unknown) => {
      if (error instanceof FileError && error.code === 'not-found') return undefined;
      throw error;
    });
    if (bytes) read.push(readKubeconfig(new TextDecoder().decode(bytes), { from: path, directory: dirname(path) }));
  }
  if (read.length === 0)
    throw new KubeconfigError('missing', `no kubeconfig: ${paths.join(', ') || 'no path was given'}`);
  return select(read, context);
}

export interface ParseKubeconfigOptions {
  /** Names the text in errors: the Secret that it came from. */
  readonly from: string;
  /** Default: the current context. */
  readonly context?: string | undefined;
}

/**
 * A kubeconfig that did not come from our disk, so it must carry everything inline: it can neither make us read our files nor run a
 * command.
 *
 * @throws KubeconfigError
 */
export function parseKubeconfig(text: string, { from, context }: ParseKubeconfigOptions): LoadedEndpoint {
  return select([readKubeconfig(text, { from, directory: undefined })], context);
}

/** The files that `KUBECONFIG` lists, else `~/.kube/config`. */
export function kubeconfigPaths(variables: Readonly<Record<string, string | undefined>>): string[] {
  const listed = (variables['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  if (listed.length > 0) return listed;
  const home = variables['HOME'];
  return home ? [join(home, '.kube', 'config')] : [];
}

function select(files: readonly KubeconfigFile[], asked: string | undefined): LoadedEndpoint {
  const name = asked ?? files.find(({ currentContext }) => currentContext)?.currentContext;
  const contexts = files.flatMap((file) => file.contexts);
  const context = contexts.find((entry) => entry.name === name);
  if (!context) throw noSuchContext(contexts, name);
  const clusters = files.flatMap((file) => file.clusters);
  const users = files.flatMap((file) => file.users);
  const cluster = named(context, 'cluster', clusters);
  const user = context.parsed.user ? named(context, 'user', users) : undefined;
  return { endpoint: endpointOf(cluster, user), namespace: textOf(context, 'namespace'), context: context.name };
}

function noSuchContext(contexts: readonly Entry<Context>[], name: string | undefined): KubeconfigError {
  const known = [...new Set(contexts.map((entry) => entry.name))].join(', ') || 'none';
  const what = name === undefined ? 'no context was given and there is no current-context' : `no context ${name}`;
  return new KubeconfigError('no-such-context', `${what}; known: ${known}`);
}

function named<T>(context: Entry<Context>, what: 'cluster' | 'user', entries: readonly Entry<T>[]): Entry<T> {
  const found = entries.find((entry) => entry.name === context.parsed[what]);
  if (found) return found;
  const message = `${context.origin.from}: context ${context.name} names a ${what} that is nowhere: ${context.parsed[what]}`;
  throw new KubeconfigError('invalid', message);
}

function endpointOf(cluster: Entry<Cluster>, user: Entry<User> | undefined): Endpoint {
  const { server, proxyUrl } = cluster.parsed;
  const where = `${cluster.origin.from}: cluster ${cluster.name}`;
  if (proxyUrl) throw new KubeconfigError('unsupported', `${where}: proxy-url is not supported`);
  if (!/^https?:$/.test(URL.parse(server)?.protocol ?? '')) {
    throw new KubeconfigError('invalid', `${where}: server must be an http or https URL, not ${server}`);
  }
  const credentials = user && credentialsOf(user, cluster);
  const impersonate = user && impersonationOf(user);
  return {
    server,
    tls: tlsOf(cluster, user),
    ...(credentials ? { credentials } : {}),
    ...(impersonate ? { impersonate } : {}),
  };
}

function tlsOf(cluster: Entry<Cluster>, user: Entry<User> | undefined): EndpointTls {
  const ca = pemOf(cluster, 'certificate-authority');
  const certificate = user && pemOf(user, 'client-certificate');
  const key = user && pemOf(user, 'client-key');
  if ((certificate === undefined) !== (key === undefined)) {
    const message = `${user?.origin.from}: user ${user?.name} has a client certificate without its key, or a key alone`;
    throw new KubeconfigError('invalid', message);
  }
  const serverName = textOf(cluster, 'tls-server-name');
  return {
    ...(ca ? { ca } : {}),
    ...(serverName ? { serverName } : {}),
    ...(cluster.parsed.skipTLSVerify ? { insecureSkipVerify: true } : {}),
    ...(certificate && key ? { clientCertificate: { certificate, key } } : {}),
  };
}

/** Inline data wins over a file, as in kubectl. */
function pemOf(entry: Entry<unknown>, field: string): PemSource | undefined {
  const inline = decodedText(entry, `${field}-data`);
  if (inline !== undefined) return { inline };
  const file = textOf(entry, field);
  return file === undefined ? undefined : { file: pathIn(entry.origin, file, field) };
}

/** The file of a token wins over its text, both over a password, all of them over a plugin, as in kubectl. */
function credentialsOf(user: Entry<User>, cluster: Entry<Cluster>): Credentials | undefined {
  const { written, origin, name } = user;
  if (written['auth-provider']) {
    const message = `${origin.from}: user ${name}: auth-provider is not supported; use an exec plugin`;
    throw new KubeconfigError('unsupported', message);
  }
  const path = textOf(user, 'tokenFile');
  if (path !== undefined) return { type: 'tokenFile', path: pathIn(origin, path, 'tokenFile') };
  const token = textOf(user, 'token');
  if (token !== undefined) return { type: 'token', token };
  const username = textOf(user, 'username');
  if (username !== undefined) return { type: 'basic', username, password: textOf(user, 'password') ?? '' };
  return isRecord(written['exec']) ? execOf(written['exec'], { user, cluster }) : undefined;
}

function impersonationOf(user: Entry<User>): Impersonation | undefined {
  const as = textOf(user, 'as');
  if (as === undefined) return undefined;
  const uid = textOf(user, 'as-uid');
  const groups = user.written['as-groups'];
  const extra = user.written['as-user-extra'];
  return {
    user: as,
    ...(uid ? { uid } : {}),
    ...(Array.isArray(groups) ? { groups: groups.map(String) } : {}),
    ...(isRecord(extra)
      ? { extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [values].flat().map(String)])) }
      : {}),
  };
}
