/**
 * Which rule of which HTTPProxy a cluster stands for. Namespace and route are those of its metadata, the rule is that of the rule name
 * there, else that of the cluster's name.
 */
import { edgeReasons } from '@lifeline/core';
import type { BackendProgram, EdgeIndex, RuleProgram } from '@lifeline/edge';
import { isText, type Slice } from '../wire/text.ts';
import { regionBackend, rulePlace } from './cluster-name.ts';
import type { ClusterScan, LocalityScan } from './cluster-scan.ts';
import type { NamedObject, ObjectNames } from './object-names.ts';

export interface RuleIdentity {
  readonly at: 'rule';
  /** The HTTPProxy, and so the Gateway. */
  readonly proxy: NamedObject;
  readonly rule: RuleProgram;
  /** The backend by the cluster's name, where a rule has a cluster for each. */
  readonly backend: number | undefined;
}

export type Identity =
  | RuleIdentity
  /** The index holds nothing for it. */
  | { readonly at: 'missing'; readonly proxy: NamedObject | undefined; readonly reason: MissingReason }
  /** Name and metadata disagree: a cluster that Envoy Gateway made for something else. */
  | { readonly at: 'foreign'; readonly proxy: NamedObject };

type MissingReason = typeof edgeReasons.httpProxyNotFound | typeof edgeReasons.ruleNotFound;

export function identify({ name, ref }: ClusterScan, index: EdgeIndex, names: ObjectNames): Identity {
  if (ref?.kind !== 'HTTPRoute' || !ref.namespace || !ref.name) {
    return { at: 'missing', proxy: undefined, reason: edgeReasons.httpProxyNotFound };
  }
  const proxy = names.of(ref.namespace, ref.name);
  const place = rulePlace(name, ref.namespace, ref.name);
  if (!place) return { at: 'foreign', proxy };
  const rules = index.proxy(proxy.key)?.rules;
  if (!rules) return { at: 'missing', proxy, reason: edgeReasons.httpProxyNotFound };
  const { sectionName } = ref;
  const rule = sectionName ? ruleNamed(rules, sectionName, place.rule) : rules[place.rule];
  if (rule) return { at: 'rule', proxy, rule, backend: place.backend };
  return { at: 'missing', proxy, reason: sectionName ? edgeReasons.ruleNotFound : edgeReasons.httpProxyNotFound };
}

/** The rule at its place goes first, should two have one name. */
function ruleNamed(rules: readonly RuleProgram[], name: Slice, place: number): RuleProgram | undefined {
  const here = rules[place];
  return here && isText(name, here.name) ? here : rules.find((rule) => isText(name, rule.name));
}

/**
 * The connector backend that a locality stands for; undefined when the index holds none there. A locality whose region does not say is
 * the only backend of its rule.
 */
export function backendOf(
  { rule, backend }: RuleIdentity,
  { name, localities }: ClusterScan,
  locality: LocalityScan,
): BackendProgram | undefined {
  const byRegion = locality.region && regionBackend(locality.region, name);
  const only = localities.length === 1 && rule.backends.length === 1 ? 0 : undefined;
  const place = backend ?? byRegion ?? only;
  return place === undefined ? undefined : rule.backends[place];
}
