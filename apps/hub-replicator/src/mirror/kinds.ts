/** The kinds that are replicated by default, and how an operator's list changes that. */
import {
  Backend,
  BackendTLSPolicy,
  BackendTrafficPolicy,
  ConfigMap,
  Connector,
  Gateway,
  HTTPProxy,
  HTTPRoute,
  HTTPRouteFilter,
  type Kind,
  kindById,
  kindId,
  labels,
  labelSelectors,
  NetworkContext,
  Secret,
  SecurityPolicy,
  Subnet,
  TrafficProtectionPolicy,
  unknownKind,
} from '@lifeline/core';
import type { KindSetting } from './kind-setting.ts';
import type { KindPolicy, StatusFlow } from './policy.ts';

const plain = {
  enabled: true,
  carriedLabels: [],
  status: { direction: 'none' },
  guardsSecrets: false,
  gatewayClasses: {},
} as const satisfies Omit<KindPolicy, 'kind'>;
const policyStatus = { status: { direction: 'up', transform: 'policy' } } as const;
const placed = { carriedLabels: [labels.location, labels.network] } as const;

/** @see datum-cloud/network-services-operator@41b6db2 internal/config/config.go; Gateway and HTTPRoute are ours, and off */
export const defaultPolicies: readonly KindPolicy[] = [
  { ...plain, kind: ConfigMap, selector: labelSelectors.gatewaySync },
  { ...plain, kind: Secret, selector: labelSelectors.gatewaySync },
  { ...plain, kind: Backend, status: { direction: 'up', transform: 'identity' } },
  { ...plain, ...policyStatus, kind: BackendTrafficPolicy },
  { ...plain, ...policyStatus, kind: SecurityPolicy, guardsSecrets: true },
  { ...plain, ...policyStatus, kind: HTTPRouteFilter },
  { ...plain, ...policyStatus, kind: BackendTLSPolicy },
  { ...plain, kind: TrafficProtectionPolicy },
  { ...plain, kind: HTTPProxy },
  { ...plain, kind: Connector, status: { direction: 'mirror' } },
  { ...plain, ...placed, kind: NetworkContext },
  { ...plain, ...placed, kind: Subnet },
  { ...plain, kind: Gateway, enabled: false, status: { direction: 'up', transform: 'gateway' } },
  { ...plain, kind: HTTPRoute, enabled: false, status: { direction: 'up', transform: 'route' } },
];

/** The table with a setting merged over it, by kind, and what an operator should hear about that. */
export function policiesOf(settings: readonly KindSetting[]): {
  readonly policies: readonly KindPolicy[];
  readonly warnings: readonly string[];
} {
  const table = new Map(defaultPolicies.map((policy) => [policy.kind.id, policy]));
  const warnings: string[] = [];
  for (const setting of settings) {
    const id = kindId(setting.group, setting.kind);
    const known = kindById(id);
    if (!known) {
      warnings.push(
        `kinds: ${id} is not known to Lifeline: all objects, their spec and data are copied, status is not carried unless its entry says so`,
      );
    }
    const base = table.get(id) ?? { ...plain, kind: known ?? kindOfSetting(setting) };
    table.set(id, merged(base, setting));
  }
  return { policies: [...table.values()], warnings };
}

function merged(base: KindPolicy, setting: KindSetting): KindPolicy {
  return {
    ...base,
    enabled: setting.enabled ?? true,
    selector: setting.labelSelector ?? base.selector,
    carriedLabels: setting.propagatedLabels ?? base.carriedLabels,
    status: flowOf(base.status, setting),
    gatewayClasses: setting.gatewayClassMap ?? base.gatewayClasses,
  };
}

function flowOf(base: StatusFlow, setting: KindSetting): StatusFlow {
  const { mirrorStatusToAnnotation: mirror, skipUpstreamStatusSync: skip, statusTransform } = setting;
  if (mirror === true) return { direction: 'mirror' };
  if (statusTransform !== undefined || skip === false) {
    const transform = statusTransform ?? (base.direction === 'up' ? base.transform : 'identity');
    return { direction: 'up', transform };
  }
  if (skip === true && base.direction === 'up') return { direction: 'none' };
  return mirror === false && base.direction === 'mirror' ? { direction: 'none' } : base;
}

const kindOfSetting = ({ group, version = 'v1', kind, plural = `${kind.toLowerCase()}s` }: KindSetting): Kind =>
  unknownKind({ group, version, kind, plural });
