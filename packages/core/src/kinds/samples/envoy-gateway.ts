import type { KubeObject } from '../../meta/object.ts';
import type {
  Backend,
  BackendTrafficPolicy,
  ClientTrafficPolicy,
  EnvoyPatchPolicy,
  EnvoyProxy,
  HTTPRouteFilter,
  SecurityPolicy,
} from '../index.ts';
import { condition, metadata, policyStatus, targetRef } from './parts.ts';

const targets = {
  targetRefs: [targetRef],
  targetSelectors: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', matchLabels: { a: 'b' } }],
};

const operation = { op: 'add', path: '/a', jsonPath: '.a', from: '/b', value: { any: [1] } };

const envoyProxy: EnvoyProxy = {
  apiVersion: 'gateway.envoyproxy.io/v1alpha1',
  kind: 'EnvoyProxy',
  metadata,
  spec: {
    provider: { type: 'Kubernetes', kubernetes: {} },
    bootstrap: { type: 'Merge', value: 'admin: {}', jsonPatches: [operation] },
    mergeGateways: true,
    telemetry: {},
    logging: {},
    shutdown: {},
  },
  status: { ancestors: [{ ancestorRef: { name: 'g' }, conditions: [condition('Accepted')] }] },
};

const backend: Backend = {
  apiVersion: 'gateway.envoyproxy.io/v1alpha1',
  kind: 'Backend',
  metadata,
  spec: {
    type: 'Endpoints',
    endpoints: [
      { fqdn: { hostname: 'connector.local', port: 80 }, hostname: 'h', zone: 'z' },
      { ip: { address: '192.0.2.1', port: 80 } },
      { unix: { path: '/s' } },
    ],
    appProtocols: ['gateway.envoyproxy.io/h2c'],
    fallback: false,
    tls: {},
  },
  status: { conditions: [condition('Accepted')] },
};

const envoyPolicy = { apiVersion: 'gateway.envoyproxy.io/v1alpha1', metadata, status: policyStatus };

const backendTrafficPolicy: BackendTrafficPolicy = { ...envoyPolicy, kind: 'BackendTrafficPolicy', spec: targets };

const clientTrafficPolicy: ClientTrafficPolicy = { ...envoyPolicy, kind: 'ClientTrafficPolicy', spec: { targetRef } };

const securityPolicy: SecurityPolicy = {
  ...envoyPolicy,
  kind: 'SecurityPolicy',
  spec: {
    ...targets,
    oidc: { clientSecret: { name: 'oidc' }, clientIDRef: { name: 'oidc' } },
    basicAuth: { users: { name: 'users' } },
    apiKeyAuth: { credentialRefs: [{ name: 'keys' }] },
  },
};

const envoyPatchPolicy: EnvoyPatchPolicy = {
  ...envoyPolicy,
  kind: 'EnvoyPatchPolicy',
  spec: {
    type: 'JSONPatch',
    targetRef,
    jsonPatches: [{ type: 'type.googleapis.com/X', name: 'n', operation }],
    priority: 1,
  },
};

const httpRouteFilter: HTTPRouteFilter = {
  apiVersion: 'gateway.envoyproxy.io/v1alpha1',
  kind: 'HTTPRouteFilter',
  metadata,
  spec: {
    urlRewrite: {},
    directResponse: { contentType: 'text/plain', statusCode: 503, body: {} },
    credentialInjection: { header: 'h', overwrite: true, credential: {} },
  },
};

export const envoyGatewaySamples: readonly KubeObject[] = [
  envoyProxy,
  backend,
  backendTrafficPolicy,
  clientTrafficPolicy,
  securityPolicy,
  envoyPatchPolicy,
  httpRouteFilter,
];
