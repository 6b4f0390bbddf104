/** One entry of the setting `kinds`, and what an entry must not say. */
import {
  Gateway,
  isDnsLabel,
  isDnsSubdomain,
  isQualifiedName,
  kindById,
  kindId,
  parseSelector,
  SelectorError,
  type Kind,
} from '@lifeline/core';
import { z } from 'zod';

const entry = z.strictObject({
  group: z.string().default('').describe('API group; empty for the core group'),
  version: z.string().optional().describe('version, for kinds that Lifeline does not know; default: v1'),
  kind: z.string().min(1).describe('kind, as in manifests'),
  plural: z
    .string()
    .optional()
    .describe('resource name, for kinds that Lifeline does not know; default: kind in lower case and "s"'),
  enabled: z
    .boolean()
    .optional()
    .describe(
      'false: copies are removed and finalizers released; to take a kind out, leave its entry here with false until that is done',
    ),
  labelSelector: z.string().optional().describe('which objects are replicated'),
  propagatedLabels: z.array(z.string()).optional().describe('labels that travel with the object'),
  mirrorStatusToAnnotation: z.boolean().optional().describe('carry the whole upstream status down in an annotation'),
  skipUpstreamStatusSync: z.boolean().optional().describe('status is decided upstream: nothing is carried up'),
  statusTransform: z
    .enum(['identity', 'policy', 'gateway', 'route'])
    .optional()
    .describe('what a status on its way up is turned into'),
  gatewayClassMap: z.record(z.string(), z.string()).optional().describe('gatewayClassName upstream to downstream'),
});
export type KindSetting = z.infer<typeof entry>;

/** What an entry changes of its kind; what it does not say stays as the default of the kind. */
export const kindSetting = entry.superRefine((setting, context) => {
  for (const { path, message } of faultsOf(setting)) context.addIssue({ code: 'custom', path: [path], message });
});

/** The whole setting: at most one entry for each kind. */
export const kindSettings = z.array(kindSetting).superRefine((settings, context) => {
  const ids = settings.map(({ group, kind }) => kindId(group, kind));
  for (const [index, id] of ids.entries()) {
    if (ids.indexOf(id) < index)
      context.addIssue({ code: 'custom', path: [index, 'kind'], message: `${id} has two entries` });
  }
});

interface Fault {
  readonly path: keyof KindSetting;
  readonly message: string;
}

function* faultsOf(setting: KindSetting): Generator<Fault, void> {
  const { group, kind } = setting;
  if (!/^[A-Z][A-Za-z0-9]*$/.test(kind)) yield { path: 'kind', message: 'want a kind as in manifests: ConfigMap' };
  if (group !== '' && !isDnsSubdomain(group)) yield { path: 'group', message: 'want an API group, without a version' };
  const known = kindById(kindId(group, kind));
  yield* known ? knownFaults(known, setting) : unknownFaults(setting);
  yield* groupFaults(group);
  yield* selectionFaults(setting);
  yield* statusFaults(setting);
  yield* classFaults(setting);
}

function* knownFaults({ id, scope, versions, plural }: Kind, setting: KindSetting): Generator<Fault, void> {
  if (scope === 'Cluster')
    yield { path: 'kind', message: `${id} is cluster-scoped: only namespaced kinds are replicated` };
  const { version } = setting;
  if (version !== undefined && !versions.includes(version))
    yield { path: 'version', message: `Lifeline speaks ${id} in ${versions.join(', ')}; leave it out` };
  if (setting.plural !== undefined && setting.plural !== plural)
    yield { path: 'plural', message: `it is ${plural}; leave it out` };
}

function* unknownFaults({ version, plural }: KindSetting): Generator<Fault, void> {
  if (version !== undefined && !/^v[1-9]\d*(?:(?:alpha|beta)\d*)?$/.test(version))
    yield { path: 'version', message: 'want a version: v1, v1beta1' };
  if (plural !== undefined && !isDnsLabel(plural))
    yield { path: 'plural', message: 'want a resource name: configmaps' };
}

/** Groups that others carry, that Karmada itself lives on, and that would hand out rights on the hub. */
const reservedGroups: readonly (readonly [pattern: RegExp, message: string])[] = [
  [/^compute\.datumapis\.com$/, 'compute is carried by instance-federator'],
  [/(?:^|\.)karmada\.io$/, "Karmada's own kinds are never carried"],
  [/^rbac\.authorization\.k8s\.io$/, 'a project must not hand out rights on the hub'],
];

function* groupFaults(group: string): Generator<Fault, void> {
  for (const [pattern, message] of reservedGroups) if (pattern.test(group)) yield { path: 'group', message };
}

/** Labels by which Lifeline and Karmada tell copies apart. */
const reservedLabel = /^(?:(?:[^/]*\.)?karmada\.io|meta\.datumapis\.com|lifeline\.dev)\//;

function* selectionFaults({ labelSelector, propagatedLabels = [] }: KindSetting): Generator<Fault, void> {
  try {
    parseSelector(labelSelector ?? '');
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    yield { path: 'labelSelector', message: error.message };
  }
  for (const key of propagatedLabels) {
    const shown = JSON.stringify(key);
    if (!isQualifiedName(key)) yield { path: 'propagatedLabels', message: `${shown} is no label key` };
    else if (reservedLabel.test(key))
      yield { path: 'propagatedLabels', message: `${shown} is written by Lifeline or Karmada, and cannot be carried` };
  }
}

function* statusFaults(setting: KindSetting): Generator<Fault, void> {
  const { mirrorStatusToAnnotation: mirror, skipUpstreamStatusSync: skip, statusTransform } = setting;
  if (mirror === true && skip === false)
    yield { path: 'skipUpstreamStatusSync', message: 'a status that is carried down is never carried up' };
  if (statusTransform === undefined) return;
  if (mirror === true) yield { path: 'statusTransform', message: 'a status that is carried down is not transformed' };
  else if (skip === true)
    yield { path: 'statusTransform', message: 'nothing is carried up: skipUpstreamStatusSync is set' };
}

function* classFaults({ group, kind, gatewayClassMap }: KindSetting): Generator<Fault, void> {
  if (gatewayClassMap === undefined) return;
  if (kindId(group, kind) !== Gateway.id) yield { path: 'gatewayClassMap', message: `only ${Gateway.id} has a class` };
  for (const name of Object.values(gatewayClassMap)) {
    if (!isDnsSubdomain(name))
      yield { path: 'gatewayClassMap', message: `${JSON.stringify(name)} is no name of a GatewayClass` };
  }
}
