/** The CustomResourceDefinitions of a plane: ours, Envoy Gateway's own files of its release, and the small Karmada's. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CustomResourceDefinition, findCondition, systemClock } from '@lifeline/core';
import type { Client } from '@lifeline/k8s';
import { groupsOfRole } from '@lifeline/sim';
import { parseAllDocuments } from 'yaml';
import { karmadaFolder, program, root } from './names.ts';

const { signal } = new AbortController();

type Definition = CustomResourceDefinition & { readonly spec: { readonly group: string } };

/** Groups that the real Envoy Gateway brings. */
const envoyGateways = /^gateway\./;
/** The experimental channel has kinds that nobody here asks for, and each costs an API server memory and time. */
const served = new Set(['gateway.networking.k8s.io', 'gateway.envoyproxy.io']);

let read: Promise<readonly Definition[]> | undefined;

const definitions = (): Promise<readonly Definition[]> => (read ??= readAll());

async function readAll(): Promise<readonly Definition[]> {
  const ours = join(root, 'charts/crds');
  const own = await yamlsIn(ours);
  const real = await yamlsIn(program('envoy-gateway-crds'));
  const theirs = karmadaFolder === undefined ? [] : await yamlsIn(join(karmadaFolder, 'crds'));
  const isReplaced = ({ spec: { group } }: Definition): boolean =>
    envoyGateways.test(group) || (karmadaFolder !== undefined && group.endsWith('.karmada.io'));
  return [...own.filter((one) => !isReplaced(one)), ...theirs, ...real.filter(({ spec }) => served.has(spec.group))];
}

async function yamlsIn(folder: string): Promise<readonly Definition[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.yaml'));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts
    .flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Definition | null))
    .filter((object) => object?.kind === CustomResourceDefinition.kind) as Definition[];
}

/** Installs those of the groups of a role, and waits until they are served. */
export async function installCrds(client: Client, role: 'hub' | 'project' | 'edge'): Promise<void> {
  const groups = groupsOfRole(role);
  const isWanted = ({ spec: { group } }: Definition): boolean =>
    groups.includes(group) || (role === 'hub' && group.endsWith('.karmada.io'));
  const wanted = (await definitions()).filter(isWanted);
  await Promise.all(
    wanted.map((one) => client.create(CustomResourceDefinition, one, { signal, fieldValidation: 'Ignore' })),
  );
  for (;;) {
    const { items } = await client.list(CustomResourceDefinition, { signal });
    if (items.every(({ status }) => findCondition(status?.conditions, 'Established')?.status === 'True')) return;
    await systemClock.sleep(200);
  }
}
