/** What is asked of the rendered objects of a chart, and what its app says itself: the hub replicator's, of rights. */
import { basename } from 'node:path';
import type { PolicyRule } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { app, replicatorRights, type ReplicatorConfig, type ReplicatorRights } from '@lifeline/hub-replicator';
import { type App, loadConfig } from '@lifeline/k8s';
import { filesOf } from '@lifeline/k8s/testing';
import { processOf } from '../../rights.fixture.ts';
import { grants } from '../../rights.fixture.ts';
import { type Manifest } from './helm.fixture.ts';
import { workloadOf } from './workload.fixture.ts';

/** The object of that kind. @throws Error when there is none, or another */
export const only = (objects: readonly Manifest[], kind: string): Manifest => {
  const [first, ...more] = objects.filter((object) => object.kind === kind);
  if (!first || more.length > 0) throw new Error(`want one ${kind}, not ${first ? more.length + 1 : 0}`);
  return first;
};

/** The ConfigMap that the app reads. */
export const isConfiguration = ({ data }: Manifest): boolean => Object.hasOwn(data ?? {}, 'config.yaml');

/** The settings that the app reads off the rendered ConfigMap; refused ones are an error. */
export async function configOf<Config>(app: App<Config>, objects: readonly Manifest[]): Promise<Config> {
  const path = '/etc/lifeline/config/config.yaml';
  const loaded = await loadConfig(app, {
    argv: [],
    variables: workloadOf(only(objects, 'Deployment')).variables,
    files: filesOf({ [path]: only(objects.filter(isConfiguration), 'ConfigMap').data?.[basename(path)] ?? '' }),
    signal: new AbortController().signal,
  });
  if (loaded.ask !== 'run') throw new Error('it asks for something else');
  return loaded.config;
}

export const settingsOf = (objects: readonly Manifest[]): Promise<ReplicatorConfig> => configOf(app, objects);

const declared = (settings: ReplicatorConfig): ReplicatorRights =>
  replicatorRights(settings, processOf(new VirtualClock(), {}).env);

/**
 * Rights of one role that are missing, and those that nobody needs. A kind of the table that is changed, or taken out, keeps what the table
 * gives it: its row may come back.
 */
export function difference(
  objects: readonly Manifest[],
  role: string,
  settings: ReplicatorConfig,
): Record<string, unknown> {
  const key = role === 'control-plane' ? 'controlPlane' : (role as keyof ReplicatorRights);
  const given = grants(rulesOf(objects, role));
  const wanted = grants(declared(settings)[key]);
  const ofTable = grants(declared({ ...settings, kinds: [] })[key]);
  return { missing: [...wanted.difference(given)], unneeded: [...given.difference(wanted).difference(ofTable)] };
}
export const none = { missing: [], unneeded: [] };

/** The rules of the rendered roles whose name ends so. */
const rulesOf = (objects: readonly Manifest[], role: string): readonly PolicyRule[] =>
  objects
    .filter(({ kind, metadata }) => kind?.endsWith('Role') && metadata.name.endsWith(`-${role}`))
    .flatMap(({ rules }) => rules ?? []);

/** The roles that are rendered, by the last part of their names. */
export const rolesOf = (objects: readonly Manifest[]): string[] =>
  objects
    .filter(({ kind }) => kind?.endsWith('Role'))
    .map(({ metadata }) => metadata.name.replace(/^.*replicator-/, ''))
    .sort();
