import type { KubeObject } from '../../meta/object.ts';
import type {
  Connector,
  ConnectorAdvertisement,
  ConnectorClass,
  HTTPProxy,
  Location,
  Network,
  NetworkContext,
  Subnet,
  TrafficProtectionPolicy,
} from '../index.ts';
import { clusterMeta, condition, metadata, policyStatus, targetRef } from './parts.ts';

const connector: Connector = {
  apiVersion: 'networking.datumapis.com/v1alpha1',
  kind: 'Connector',
  metadata,
  spec: { connectorClassName: 'iroh', capabilities: [{ type: 'ConnectTCP', connectTCP: { disabled: false } }] },
  status: {
    conditions: [condition('Accepted', 'Accepted'), condition('Ready', 'ConnectorReady')],
    capabilities: [{ type: 'ConnectTCP', conditions: [condition('Supported')] }],
    connectionDetails: {
      type: 'PublicKey',
      publicKey: {
        id: 'ab'.repeat(32),
        discoveryMode: 'DNS',
        homeRelay: 'https://relay.example/',
        addresses: [{ address: '192.0.2.7', port: 4433 }],
      },
    },
    leaseRef: { name: 'sample' },
  },
};

const connectorClass: ConnectorClass = {
  apiVersion: 'networking.datumapis.com/v1alpha1',
  kind: 'ConnectorClass',
  metadata: clusterMeta,
  spec: { controllerName: 'networking.datumapis.com/datum-connect' },
  status: {},
};

const connectorAdvertisement: ConnectorAdvertisement = {
  apiVersion: 'networking.datumapis.com/v1alpha1',
  kind: 'ConnectorAdvertisement',
  metadata,
  spec: {
    connectorRef: { name: 'sample' },
    layer4: [
      {
        name: 'web',
        services: [{ address: '*.internal.example', ports: [{ name: 'http', port: 8080, protocol: 'TCP' }] }],
      },
    ],
  },
  status: { conditions: [condition('Accepted')] },
};

const httpProxy: HTTPProxy = {
  apiVersion: 'networking.datumapis.com/v1alpha',
  kind: 'HTTPProxy',
  metadata,
  spec: {
    hostnames: ['www.example.com'],
    rules: [
      {
        name: 'app',
        matches: [
          {
            path: { type: 'PathPrefix', value: '/app' },
            headers: [{ name: 'x-tenant', value: 'a', type: 'Exact' }],
            queryParams: [{ name: 'q', value: '1' }],
            method: 'GET',
          },
        ],
        filters: [
          {
            type: 'RequestHeaderModifier',
            requestHeaderModifier: {
              set: [{ name: 'x-a', value: 'b' }],
              add: [{ name: 'x-c', value: 'd' }],
              remove: ['x-e'],
            },
          },
          {
            type: 'URLRewrite',
            urlRewrite: { hostname: 'app.internal', path: { type: 'ReplacePrefixMatch', replacePrefixMatch: '/' } },
          },
        ],
        backends: [
          {
            endpoint: 'https://10.0.0.5:8443',
            connector: { name: 'sample' },
            tls: { hostname: 'app.internal' },
            filters: [
              { type: 'ResponseHeaderModifier', responseHeaderModifier: { remove: ['server'] } },
              {
                type: 'ExtensionRef',
                extensionRef: { group: 'gateway.envoyproxy.io', kind: 'HTTPRouteFilter', name: 'f' },
              },
            ],
          },
          { endpoint: 'http://localhost:8080', connector: { name: 'other' } },
          { instance: { name: 'i-0', port: 80 } },
        ],
      },
      {
        name: 'redirect',
        matches: [{ path: { type: 'Exact', value: '/old' } }],
        filters: [
          {
            type: 'RequestRedirect',
            requestRedirect: {
              scheme: 'https',
              hostname: 'new.example',
              port: 443,
              statusCode: 301,
              path: { type: 'ReplaceFullPath', replaceFullPath: '/new' },
            },
          },
        ],
      },
    ],
  },
  status: {
    addresses: [{ type: 'IPAddress', value: '192.0.2.1' }],
    hostnames: ['www.example.com'],
    canonicalHostname: 'x.proxy.example',
    hostnameStatuses: [{ hostname: 'www.example.com', conditions: [condition('Verified')] }],
    conditions: [condition('Accepted'), condition('Programmed')],
  },
};

const trafficProtectionPolicy: TrafficProtectionPolicy = {
  apiVersion: 'networking.datumapis.com/v1alpha',
  kind: 'TrafficProtectionPolicy',
  metadata,
  spec: {
    targetRefs: [targetRef],
    mode: 'Enforce',
    samplingPercentage: 50,
    ruleSets: [
      {
        type: 'OWASPCoreRuleSet',
        owaspCoreRuleSet: {
          paranoiaLevels: { blocking: 1, detection: 2 },
          scoreThresholds: { inbound: 5, outbound: 4 },
          ruleExclusions: { ids: [942100], idRanges: ['942100-942200'], tags: ['attack-sqli'] },
        },
      },
    ],
  },
  status: policyStatus,
};

const network: Network = {
  apiVersion: 'networking.datumapis.com/v1alpha',
  kind: 'Network',
  metadata,
  spec: {
    ipFamilies: ['IPv4', 'IPv6'],
    ipam: { mode: 'Auto', ipv4Range: '10.128.0.0/9', ipv6Range: 'fd20::/48' },
    mtu: 1460,
  },
  status: { conditions: [condition('Ready')] },
};

const networkContext: NetworkContext = {
  apiVersion: 'networking.datumapis.com/v1alpha',
  kind: 'NetworkContext',
  metadata,
  spec: { network: { name: 'n' }, location: { name: 'lax', namespace: 'default' } },
  status: { conditions: [condition('Ready')] },
};

const subnet: Subnet = {
  apiVersion: 'networking.datumapis.com/v1alpha',
  kind: 'Subnet',
  metadata,
  spec: {
    subnetClass: 'private',
    networkContext: { name: 'n' },
    location: { name: 'lax', namespace: 'default' },
    ipFamily: 'IPv4',
    startAddress: '10.128.0.0',
    prefixLength: 20,
  },
  status: { startAddress: '10.128.0.0', prefixLength: 20, conditions: [condition('Ready')] },
};

const location: Location = {
  apiVersion: 'networking.datumapis.com/v1alpha',
  kind: 'Location',
  metadata,
  spec: { locationClassName: 'datum-managed', topology: { 'topology.datum.net/city-code': 'LAX' }, provider: {} },
  status: { conditions: [condition('Ready')] },
};

export const networkingSamples: readonly KubeObject[] = [
  connector,
  connectorClass,
  connectorAdvertisement,
  httpProxy,
  trafficProtectionPolicy,
  network,
  networkContext,
  subnet,
  location,
];
