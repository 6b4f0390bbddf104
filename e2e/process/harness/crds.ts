/** The CustomResourceDefinitions of a plane: ours, Envoy Gateway's own files of its release, and the small Karmada's. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CustomResourceDefinition, findCondition } from '@lifeline/core';
import type { Client } from '@lifeline/k8s';
import { groupsOfRole } from '@lifeline/sim';
import { parseAllDocuments } from 'yaml';
import { until } from '../../until.ts';
import { karmadaFolder, program, root } from './names.ts';

const { signal } = new AbortController();

type Definition = CustomResourceDefinition & { readonly spec: { readonly group: string } };

/** Groups that the real Envoy Gateway brings. */
const envoyGateways = /^gateway\./;
/** The experimental channel has kinds that nobody here asks for, and each costs an API server memory and time. */
const served = new Set(['gateway.networking.k8s.io', 'gateway.envoyproxy.io']);

interface Definitions {
  readonly ours: readonly Definition[];
  /** Of Karmada's own release, for the hub; empty where the small one runs, whose are among ours. */
  readonly karmadas: readonly Definition[];
}

let read: Promise<Definitions> | undefined;

const definitions = (): Promise<Definitions> => (read ??= readAll());

async function readAll(): Promise<Definitions> {
  const ours = join(root, 'charts/crds');
  const own = await yamlsIn(ours);
  const real = await yamlsIn(program('envoy-gateway-crds'));
  const isReplaced = ({ spec: { group } }: Definition): boolean =>
    envoyGateways.test(group) || (karmadaFolder !== undefined && group.endsWith('.karmada.io'));
  return {
    ours: [...own.filter((one) => !isReplaced(one)), ...real.filter(({ spec }) => served.has(spec.group))],
    karmadas: karmadaFolder === undefined ? [] : await yamlsIn(join(karmadaFolder, 'crds')),
  };
}

async function yamlsIn(folder: string): Promise<readonly Definition[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.yaml'));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts
    .flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Definition | null))
    .filter(
      (object) => object?.kind === CustomResourceDefinition.kind && object.spec.group !== undefined,
    ) as Definition[];
}

/** Installs those of the groups of a role, and waits until they are served. */
export async function installCrds(client: Client, role: 'hub' | 'project' | 'edge'): Promise<void> {
  const groups = groupsOfRole(role);
  const { ours, karmadas } = await definitions();
  const wanted = [...ours.filter(({ spec }) => groups.includes(spec.group)), ...(role === 'hub' ? karmadas : [])];
  await Promise.all(
    wanted.map((one) => client.create(CustomResourceDefinition, one, { signal, fieldValidation: 'Ignore' })),
  );
  const isEstablished = ({ status }: CustomResourceDefinition): boolean =>
    findCondition(status?.conditions, 'Established')?.status === 'True';
  await until(
    async () => {
      const { items } = await client.list(CustomResourceDefinition, { signal });
      return items.filter((one) => !isEstablished(one)).map(({ metadata }) => metadata.name);
    },
    (missing) => missing.length === 0,
  );
}
