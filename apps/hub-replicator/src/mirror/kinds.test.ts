import { labels, labelSelectors } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { kindSetting, kindSettings } from './kind-setting.ts';
import { defaultPolicies, policiesOf } from './kinds.ts';

const networking = 'networking.datumapis.com';
const merged = (...settings: readonly Record<string, unknown>[]): ReturnType<typeof policiesOf> =>
  policiesOf(kindSettings.parse(settings));
const policyOf = (kind: string, ...settings: readonly Record<string, unknown>[]) =>
  merged(...settings).policies.find((policy) => policy.kind.kind === kind);

describe('the table of kinds', () => {
  it('has the kinds of the Go system with their flags; Gateways and HTTPRoutes are off', () => {
    const rows = defaultPolicies.map(({ kind, enabled, selector, status, guardsSecrets, carriedLabels }) => [
      kind.id,
      enabled ? (selector ?? 'all') : 'off',
      status.direction === 'up' ? status.transform : status.direction,
      ...(guardsSecrets ? ['guards Secrets'] : []),
      ...carriedLabels,
    ]);
    expect(rows).toEqual([
      ['ConfigMap', labelSelectors.gatewaySync, 'none'],
      ['Secret', labelSelectors.gatewaySync, 'none'],
      ['Backend.gateway.envoyproxy.io', 'all', 'identity'],
      ['BackendTrafficPolicy.gateway.envoyproxy.io', 'all', 'policy'],
      ['SecurityPolicy.gateway.envoyproxy.io', 'all', 'policy', 'guards Secrets'],
      ['HTTPRouteFilter.gateway.envoyproxy.io', 'all', 'policy'],
      ['BackendTLSPolicy.gateway.networking.k8s.io', 'all', 'policy'],
      ['TrafficProtectionPolicy.networking.datumapis.com', 'all', 'none'],
      ['HTTPProxy.networking.datumapis.com', 'all', 'none'],
      ['Connector.networking.datumapis.com', 'all', 'mirror'],
      ['NetworkContext.networking.datumapis.com', 'all', 'none', labels.location, labels.network],
      ['Subnet.networking.datumapis.com', 'all', 'none', labels.location, labels.network],
      ['Gateway.gateway.networking.k8s.io', 'off', 'gateway'],
      ['HTTPRoute.gateway.networking.k8s.io', 'off', 'route'],
    ]);
  });

  it.each([
    { name: 'nothing', setting: {}, want: { enabled: true, status: { direction: 'none' } } },
    { name: 'off', setting: { enabled: false }, want: { enabled: false, status: { direction: 'none' } } },
    { name: 'a selector', setting: { labelSelector: 'a=b' }, want: { selector: 'a=b' } },
    { name: 'labels', setting: { propagatedLabels: ['x.y/z'] }, want: { carriedLabels: ['x.y/z'] } },
    { name: 'a mirror', setting: { mirrorStatusToAnnotation: true }, want: { status: { direction: 'mirror' } } },
    {
      name: 'status up',
      setting: { skipUpstreamStatusSync: false },
      want: { status: { direction: 'up', transform: 'identity' } },
    },
    {
      name: 'a transform',
      setting: { statusTransform: 'policy' },
      want: { status: { direction: 'up', transform: 'policy' } },
    },
  ])('an entry that says $name', ({ setting, want }) => {
    expect(policyOf('HTTPProxy', { group: networking, kind: 'HTTPProxy', ...setting })).toMatchObject(want);
    expect(merged({ group: networking, kind: 'HTTPProxy', ...setting }).policies).toHaveLength(defaultPolicies.length);
  });

  it.each([
    [{ mirrorStatusToAnnotation: false }, { direction: 'none' }],
    [{ skipUpstreamStatusSync: true }, { direction: 'mirror' }],
    [{}, { direction: 'mirror' }],
  ])('a Connector with %j', (setting, status) => {
    expect(policyOf('Connector', { group: networking, kind: 'Connector', ...setting })?.status).toEqual(status);
  });

  it.each([
    [{ skipUpstreamStatusSync: true }, { direction: 'none' }],
    [{ skipUpstreamStatusSync: false }, { direction: 'up', transform: 'policy' }],
    [{ statusTransform: 'identity' }, { direction: 'up', transform: 'identity' }],
  ])('a SecurityPolicy with %j', (setting, status) => {
    const policy = policyOf('SecurityPolicy', { group: 'gateway.envoyproxy.io', kind: 'SecurityPolicy', ...setting });
    expect(policy?.status).toEqual(status);
    expect(policy?.guardsSecrets).toBe(true);
  });

  it('an entry turns on what is off, with its classes', () => {
    const group = 'gateway.networking.k8s.io';
    expect(policyOf('Gateway', { group, kind: 'Gateway', gatewayClassMap: { up: 'down' } })).toMatchObject({
      enabled: true,
      gatewayClasses: { up: 'down' },
      status: { direction: 'up', transform: 'gateway' },
    });
  });

  it('an unknown kind gets the documented defaults, and a warning', () => {
    const { policies, warnings } = merged({ group: 'example.com', version: 'v1beta1', kind: 'Widget' });
    expect(policies.at(-1)).toMatchObject({
      kind: { id: 'Widget.example.com', apiVersion: 'example.com/v1beta1', plural: 'widgets', scope: 'Namespaced' },
      enabled: true,
      carriedLabels: [],
      status: { direction: 'none' },
      guardsSecrets: false,
    });
    expect(policies.at(-1)?.selector).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining('Widget.example.com is not known to Lifeline')]);
    expect(merged({ kind: 'ConfigMap' }).warnings).toEqual([]);
  });
});

describe('an entry of the setting', () => {
  const faultOf = (setting: Record<string, unknown>): string | undefined => {
    const [issue] = kindSetting.safeParse(setting).error?.issues ?? [];
    return issue && `${issue.path.join('.')}: ${issue.message}`;
  };

  it.each([
    [{ kind: 'configmap' }, /^kind: want a kind as in manifests/],
    [{ group: 'apps/v1', kind: 'Widget' }, /^group: want an API group/],
    [{ kind: 'Namespace' }, /^kind: Namespace is cluster-scoped/],
    [{ kind: 'ConfigMap', version: 'v2' }, /^version: Lifeline speaks ConfigMap in v1/],
    [{ kind: 'ConfigMap', plural: 'maps' }, /^plural: it is configmaps/],
    [{ group: 'a.b', kind: 'Widget', version: '1' }, /^version: want a version/],
    [{ group: 'a.b', kind: 'Widget', plural: 'Widgets' }, /^plural: want a resource name/],
    [{ group: 'compute.datumapis.com', kind: 'Workload' }, /^group: compute is carried by instance-federator/],
    [{ group: 'work.karmada.io', kind: 'Work' }, /^group: Karmada's own/],
    [{ group: 'rbac.authorization.k8s.io', kind: 'Role' }, /^group: a project must not hand out rights/],
    [{ kind: 'ConfigMap', labelSelector: 'a in ()' }, /^labelSelector: invalid-selector: a: In needs values/],
    [{ kind: 'ConfigMap', labelSelector: 'a b' }, /^labelSelector: invalid-selector: "a b" is no label key/],
    [{ kind: 'ConfigMap', propagatedLabels: ['a b'] }, /^propagatedLabels: "a b" is no label key/],
    [{ kind: 'ConfigMap', propagatedLabels: ['meta.datumapis.com/upstream-name'] }, /cannot be carried/],
    [{ kind: 'ConfigMap', propagatedLabels: ['propagationpolicy.karmada.io/permanent-id'] }, /cannot be carried/],
    [{ kind: 'ConfigMap', propagatedLabels: ['lifeline.dev/installation'] }, /cannot be carried/],
    [
      { kind: 'ConfigMap', mirrorStatusToAnnotation: true, skipUpstreamStatusSync: false },
      /^skipUpstreamStatusSync: a status that is carried down/,
    ],
    [
      { kind: 'ConfigMap', mirrorStatusToAnnotation: true, statusTransform: 'identity' },
      /^statusTransform: a status that is carried down/,
    ],
    [
      { kind: 'ConfigMap', skipUpstreamStatusSync: true, statusTransform: 'identity' },
      /^statusTransform: nothing is carried up/,
    ],
    [{ kind: 'ConfigMap', gatewayClassMap: {} }, /^gatewayClassMap: only Gateway/],
    [
      { group: 'gateway.networking.k8s.io', kind: 'Gateway', gatewayClassMap: { a: 'B c' } },
      /^gatewayClassMap: "B c" is no name/,
    ],
    [{ kind: 'ConfigMap', spec: {} }, /Unrecognized key/],
  ])('%j is refused', (setting, message) => {
    expect(faultOf(setting)).toMatch(message);
  });

  it('of a default kind passes, whatever the kind', () => {
    for (const { kind } of defaultPolicies) expect(faultOf({ group: kind.group, kind: kind.kind })).toBeUndefined();
  });

  it('stands once for each kind', () => {
    const issues = kindSettings.safeParse([{ kind: 'ConfigMap' }, { kind: 'Secret' }, { kind: 'ConfigMap' }]).error
      ?.issues;
    expect(issues?.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['2.kind', 'ConfigMap has two entries'],
    ]);
  });
});
