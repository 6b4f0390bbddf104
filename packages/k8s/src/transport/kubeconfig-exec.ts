import type { JsonValue } from '@lifeline/core';
import type { ExecCredentials } from './endpoint.ts';
import { KubeconfigError } from './kubeconfig-error.ts';
import { type Entry, isRecord, pathIn } from './kubeconfig-file.ts';

const versions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
const modes = ['Never', 'IfAvailable', 'Always'] as const;

/** The `exec` of a user. A command with a slash in it is a path, and starts at the file's folder; others are found on the PATH. */
export function execOf(
  exec: Readonly<Record<string, unknown>>,
  { user, cluster }: { readonly user: Entry<unknown>; readonly cluster: Entry<unknown> },
): ExecCredentials {
  const { origin } = user;
  const where = `${origin.from}: user ${user.name}: exec`;
  const invalid = (what: string): KubeconfigError => new KubeconfigError('invalid', `${where}.${what}`);
  if (origin.directory === undefined) {
    throw new KubeconfigError('not-self-contained', `${where} runs a command; that is not taken from here`);
  }
  const { apiVersion, command, installHint, provideClusterInfo, interactiveMode } = exec;
  // kubectl writes empty lists as null.
  const args = exec['args'] ?? [];
  const env = exec['env'] ?? [];
  if (typeof command !== 'string' || command === '') throw invalid('command is missing');
  if (typeof apiVersion !== 'string' || !versions.includes(apiVersion)) {
    throw new KubeconfigError('unsupported', `${where}.apiVersion must be ${versions.join(' or ')}`);
  }
  if (!isList(args, (arg) => typeof arg === 'string')) throw invalid('args must be a list of texts');
  if (!isList(env, isVariable)) throw invalid('env must be a list of name and value');
  const mode = modes.find((one) => one === interactiveMode);
  const config = clusterConfig(cluster);
  return {
    type: 'exec',
    apiVersion,
    command: command.includes('/') ? pathIn(origin, command, 'exec.command') : command,
    args,
    env: Object.fromEntries(env.map(({ name, value }) => [name, value])),
    provideClusterInfo: provideClusterInfo === true,
    ...(mode ? { interactiveMode: mode } : {}),
    ...(typeof installHint === 'string' ? { installHint } : {}),
    ...(config === undefined ? {} : { clusterConfig: config }),
  };
}

/** @see kubernetes/client-go pkg/apis/clientauthentication/v1 types.go (Cluster.Config) */
function clusterConfig({ written }: Entry<unknown>): JsonValue | undefined {
  const extensions = Array.isArray(written['extensions']) ? (written['extensions'] as unknown[]) : [];
  const found = extensions.find((one) => isRecord(one) && one['name'] === 'client.authentication.k8s.io/exec');
  return isRecord(found) ? (found['extension'] as JsonValue) : undefined;
}

const isList = <T>(value: unknown, is: (item: unknown) => item is T): value is T[] =>
  Array.isArray(value) && value.every(is);

const isVariable = (value: unknown): value is { readonly name: string; readonly value: string } =>
  isRecord(value) && typeof value['name'] === 'string' && typeof value['value'] === 'string';
