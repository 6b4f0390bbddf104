/** The `files/rights.yaml` of `charts/hub-replicator`: what the app needs of each plane, out of what its controllers declare. */
import { allKinds, type Kind, kindId, type PolicyRule } from '@lifeline/core';
import {
  config,
  defaultPolicies,
  type KindSetting,
  replicatorRights,
  type ReplicatorConfig,
  type ReplicatorRights,
} from '@lifeline/hub-replicator';
import { idleEnv, type RoleOfCases, rolesByCase } from './roles.ts';

export type Role = keyof ReplicatorRights;

/** Where projects come from, as far as rights differ by it: the setting `projects`. */
export const sources: Readonly<Record<string, Partial<ReplicatorConfig['projects']> & object>> = {
  folder: { mode: 'folder', kubeconfigs: '/projects' },
  secrets: { mode: 'secrets', secretNamespace: 'planes', secretSelector: 'plane=project' },
  single: { mode: 'single' },
  projects: { mode: 'projects' },
  'projects-internal': { mode: 'projects', internal: true },
};

/** The verbs on a kind that stands in the setting `kinds`. */
interface KindVerbs {
  readonly project: readonly string[];
  readonly hub: readonly string[];
  /** On its status in the project, where that is carried up. */
  readonly status: readonly string[];
}

export interface RightsFile {
  readonly roles: readonly RoleOfCases<Role>[];
  readonly kinds: {
    readonly enabled: KindVerbs;
    readonly disabled: KindVerbs;
    /** Of kinds that Lifeline knows, what a template would guess wrong. */
    readonly known: Readonly<Record<string, { readonly plural?: string; readonly statusUp?: boolean }>>;
  };
}

/** The rights of an app with these settings. */
export const rightsWith = (settings: ReplicatorConfig): ReplicatorRights => replicatorRights(settings, idleEnv());

/** The settings of an app that says where its projects come from, and which kinds it changes. */
export const settingsWith = (source: string, kinds: readonly Partial<KindSetting>[] = []): ReplicatorConfig =>
  config.parse({ hub: {}, projects: sources[source], shards: {}, connector: {}, sweep: {}, kinds });

export function rightsFile(): RightsFile {
  const roles = rolesByCase(Object.keys(sources), (source) => rightsWith(settingsWith(source)));
  const kinds = {
    enabled: kindVerbs({ statusTransform: 'identity' }),
    disabled: kindVerbs({ enabled: false }),
    known: knownKinds(),
  };
  return { roles, kinds };
}

/** Rights on a kind that nobody knows are the rights that its entry brings. */
function kindVerbs(setting: Partial<KindSetting>): KindVerbs {
  const probe = { group: 'probe.example', kind: 'Probe' };
  const { project, hub } = rightsWith(settingsWith('folder', [{ ...probe, ...setting }]));
  const verbs = (rules: readonly PolicyRule[], resource: string): string[] =>
    rules
      .filter(({ apiGroups, resources }) => apiGroups?.includes(probe.group) && resources?.includes(resource))
      .flatMap((rule) => rule.verbs ?? []);
  return { project: verbs(project, 'probes'), hub: verbs(hub, 'probes'), status: verbs(project, 'probes/status') };
}

function knownKinds(): RightsFile['kinds']['known'] {
  const goesUp = new Set(defaultPolicies.flatMap(({ kind, status }) => (status.direction === 'up' ? [kind.id] : [])));
  const told = (kind: Kind): { plural?: string; statusUp?: boolean } => ({
    ...(kind.plural === `${kind.kind.toLowerCase()}s` ? {} : { plural: kind.plural }),
    ...(goesUp.has(kind.id) && kind.statusSubresource ? { statusUp: true } : {}),
  });
  return Object.fromEntries(
    allKinds
      .filter(({ scope }) => scope === 'Namespaced')
      .map((kind) => [kindId(kind.group, kind.kind), told(kind)] as const)
      .filter(([, facts]) => Object.keys(facts).length > 0)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
