import type { KubeObject } from '../../meta/object.ts';
import type { BackendTLSPolicy, Gateway, GatewayClass, HTTPRoute } from '../index.ts';
import { clusterMeta, condition, metadata, policyStatus } from './parts.ts';

const gateway: Gateway = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata,
  spec: {
    gatewayClassName: 'eg',
    listeners: [
      {
        name: 'https',
        hostname: 'www.example.com',
        port: 443,
        protocol: 'HTTPS',
        tls: { mode: 'Terminate', certificateRefs: [{ kind: 'Secret', name: 'tls' }], options: { a: 'b' } },
        allowedRoutes: {},
      },
    ],
    addresses: [{ type: 'IPAddress', value: '192.0.2.1' }],
    infrastructure: {
      labels: { a: 'b' },
      annotations: { a: 'b' },
      parametersRef: { group: 'gateway.envoyproxy.io', kind: 'EnvoyProxy', name: 'p' },
    },
  },
  status: {
    addresses: [{ type: 'IPAddress', value: '192.0.2.1' }],
    conditions: [condition('Programmed')],
    listeners: [
      {
        name: 'https',
        attachedRoutes: 1,
        supportedKinds: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute' }],
        conditions: [condition('Accepted')],
      },
    ],
  },
};

const gatewayClass: GatewayClass = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'GatewayClass',
  metadata: clusterMeta,
  spec: {
    controllerName: 'gateway.envoyproxy.io/gatewayclass-controller',
    description: 'd',
    parametersRef: { group: 'gateway.envoyproxy.io', kind: 'EnvoyProxy', name: 'p', namespace: 'n' },
  },
  status: { conditions: [condition('Accepted')], supportedFeatures: [{ name: 'Gateway' }] },
};

const httpRoute: HTTPRoute = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  metadata,
  spec: {
    parentRefs: [{ name: 'g', port: 443 }],
    hostnames: ['www.example.com'],
    rules: [
      {
        name: 'r',
        matches: [{ path: { type: 'PathPrefix', value: '/' } }],
        filters: [{ type: 'RequestMirror', requestMirror: {}, cors: {} }],
        backendRefs: [{ group: '', kind: 'Service', namespace: 'n', name: 's', port: 80, weight: 1, filters: [] }],
        timeouts: {},
      },
    ],
  },
  status: { parents: [{ parentRef: { name: 'g' }, controllerName: 'c', conditions: [condition('Accepted')] }] },
};

const backendTlsPolicy: BackendTLSPolicy = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'BackendTLSPolicy',
  metadata,
  spec: {
    targetRefs: [{ group: '', kind: 'Service', name: 's' }],
    validation: {
      caCertificateRefs: [{ group: '', kind: 'ConfigMap', name: 'ca' }],
      wellKnownCACertificates: 'System',
      hostname: 'app.internal',
      subjectAltNames: [{ type: 'URI', uri: 'spiffe://x', hostname: 'h' }],
    },
    options: { a: 'b' },
  },
  status: policyStatus,
};

export const gatewaySamples: readonly KubeObject[] = [gateway, gatewayClass, httpRoute, backendTlsPolicy];
