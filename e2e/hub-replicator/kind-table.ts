/** Every kind of the default table, with content that API servers take. */
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
  labels,
  NetworkContext,
  Secret,
  SecurityPolicy,
  Subnet,
  TrafficProtectionPolicy,
} from '@lifeline/core';
import { proxySpec } from './objects.ts';

/** Where a status goes. */
type Flow = 'up' | 'mirror' | 'none';
export interface KindRow {
  readonly kind: Kind;
  readonly content: object;
  readonly flow: Flow;
  readonly carries?: readonly string[];
  readonly isOff?: boolean;
}

export const target = { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'web' };
const policy = { spec: { targetRefs: [target] } };
const tls = {
  spec: {
    targetRefs: [{ group: '', kind: 'Service', name: 's' }],
    validation: { wellKnownCACertificates: 'System', hostname: 'app.internal' },
  },
};
const place = { location: { name: 'lax', namespace: 'default' } };
const rules = [{ backendRefs: [{ name: 's', port: 80 }] }];
const placed = [labels.location, labels.network];

export const kindTable: readonly KindRow[] = [
  { kind: ConfigMap, content: { data: { a: 'b' } }, flow: 'none' },
  { kind: Secret, content: { data: { a: 'Yg==' }, type: 'Opaque' }, flow: 'none' },
  { kind: Backend, content: { spec: { endpoints: [{ ip: { address: '192.0.2.1', port: 80 } }] } }, flow: 'up' },
  { kind: BackendTrafficPolicy, content: policy, flow: 'up' },
  { kind: SecurityPolicy, content: policy, flow: 'up' },
  { kind: HTTPRouteFilter, content: { spec: { urlRewrite: {} } }, flow: 'up' },
  { kind: BackendTLSPolicy, content: tls, flow: 'up' },
  { kind: TrafficProtectionPolicy, content: { spec: { targetRefs: [target] } }, flow: 'none' },
  { kind: HTTPProxy, content: { spec: proxySpec() }, flow: 'none' },
  { kind: Connector, content: { spec: { connectorClassName: 'tunnels' } }, flow: 'mirror' },
  { kind: NetworkContext, content: { spec: { network: { name: 'n' }, ...place } }, flow: 'none', carries: placed },
  {
    kind: Subnet,
    content: {
      spec: {
        subnetClass: 'private',
        networkContext: { name: 'n' },
        ...place,
        ipFamily: 'IPv4',
        startAddress: '10.0.0.0',
        prefixLength: 20,
      },
    },
    flow: 'none',
    carries: placed,
  },
  {
    kind: Gateway,
    content: { spec: { gatewayClassName: 'c', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] } },
    flow: 'up',
    isOff: true,
  },
  { kind: HTTPRoute, content: { spec: { parentRefs: [{ name: 'web' }], rules } }, flow: 'up', isOff: true },
];
