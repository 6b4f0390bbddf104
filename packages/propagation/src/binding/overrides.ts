/** Override policies: the last word on what a cluster gets. */
import {
  applyJsonPatch,
  type ClusterOverridePolicy,
  isJsonArray,
  isJsonObject,
  type JsonPatchOperation,
  type JsonValue,
  type KarmadaCluster,
  type OverridePolicy,
  stringifyJson,
} from '@lifeline/core';
import { matchesAffinity } from '../cluster/affinity.ts';
import { byName, type Manifest, type StringMap, withMetadata } from '../manifest.ts';
import { closeness, closenessOf } from '../policy/matches.ts';
import { annotations } from '../words.ts';

type Overriders = NonNullable<NonNullable<OverridePolicy['spec']['overrideRules']>[number]['overriders']>;

export interface Overrides {
  /** Of all namespaces. */
  readonly ofCluster: readonly ClusterOverridePolicy[];
  /** Of the object's namespace. */
  readonly ofNamespace: readonly OverridePolicy[];
}

export interface Overridden {
  readonly object: Manifest;
  /** Annotations for the Work: what was applied, as JSON. */
  readonly applied: StringMap;
}

/**
 * The object as the cluster's override policies make it: those of the cluster scope first; within a scope from the loosest selector to the
 * closest, then by name.
 * @throws JsonPatchError when a patch does not fit
 */
export function override(object: Manifest, cluster: KarmadaCluster, { ofCluster, ofNamespace }: Overrides): Overridden {
  const first = applyAll(object, cluster, ofCluster);
  const second = object.metadata.namespace ? applyAll(first.object, cluster, ofNamespace) : { ...first, used: [] };
  return {
    object: second.object,
    applied: {
      ...(first.used.length > 0 ? { [annotations.appliedClusterOverrides]: stringifyJson(first.used) } : {}),
      ...(second.used.length > 0 ? { [annotations.appliedOverrides]: stringifyJson(second.used) } : {}),
    },
  };
}

/** Whether a policy says anything about the object. One without selectors does about every object. */
export const concerns = ({ spec, metadata }: OverridePolicy, object: Manifest): boolean =>
  closenessBy(spec, object, metadata.namespace) > closeness.none;

const closenessBy = ({ resourceSelectors }: OverridePolicy['spec'], object: Manifest, namespace?: string): number =>
  resourceSelectors?.length ? closenessOf(object, resourceSelectors, namespace) : closeness.all;

interface Used {
  readonly policyName: string;
  readonly overriders: Overriders;
}

function applyAll(
  object: Manifest,
  cluster: KarmadaCluster,
  policies: readonly OverridePolicy[],
): { readonly object: Manifest; readonly used: readonly Used[] } {
  const used: Used[] = [];
  let changed = object;
  for (const { policy } of ranked(object, policies)) {
    for (const { targetCluster, overriders } of policy.spec.overrideRules ?? []) {
      if (targetCluster && !matchesAffinity(cluster, targetCluster)) continue;
      changed = applyOverriders(changed, overriders);
      used.push({ policyName: policy.metadata.name, overriders });
    }
  }
  return { object: changed, used };
}

const ranked = (
  object: Manifest,
  policies: readonly OverridePolicy[],
): readonly { readonly policy: OverridePolicy; readonly close: number }[] =>
  policies
    .map((policy) => ({ policy, close: closenessBy(policy.spec, object, policy.metadata.namespace) }))
    .filter(({ close }) => close > closeness.none)
    .toSorted((a, b) => a.close - b.close || byName(a.policy, b.policy));

function applyOverriders(object: Manifest, overriders: Overriders): Manifest {
  const { plaintext, labelsOverrider, annotationsOverrider } = overriders;
  const labelled = withMetadata(object, {
    labels: overrideMap(object.metadata.labels, labelsOverrider ?? []),
    annotations: overrideMap(object.metadata.annotations, annotationsOverrider ?? []),
  });
  const patch = (plaintext ?? []).map(({ path, operator, value }): JsonPatchOperation =>
    operator === 'remove' ? { op: 'remove', path } : { op: operator as 'add' | 'replace', path, value },
  );
  return applyJsonPatch(labelled, patch) as unknown as Manifest;
}

/** `{operator, value}`, where the value holds keys and their values. */
type Rule = Readonly<Record<string, unknown>>;

/** `replace` and `remove` touch only keys that are there. */
function overrideMap(map: StringMap | null | undefined, rules: readonly Rule[]): StringMap | undefined {
  const result = new Map(Object.entries(map ?? {}));
  for (const { operator, value } of rules) {
    for (const [key, given] of Object.entries(isJsonObject(value) ? value : {})) {
      if (operator === 'add' || (operator === 'replace' && result.has(key))) result.set(key, textOf(given));
      else if (operator === 'remove') result.delete(key);
    }
  }
  return result.size > 0 ? Object.fromEntries(result) : undefined;
}

const textOf = (value: JsonValue | undefined): string =>
  isJsonArray(value) || isJsonObject(value) ? stringifyJson(value) : String(value);
