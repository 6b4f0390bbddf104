/** Envoy as a process, with the bootstrap that the chart's EnvoyProxy makes of Envoy Gateway's own. */
import { writeFile } from 'node:fs/promises';
import { type Kind, unknownKind } from '@lifeline/core';
import { parse } from 'yaml';
import { adminClient } from './admin-client.ts';
import { extensionServer, fullName } from './deploy.ts';
import { xdsPort } from './envoy-gateway.ts';
import { type Inside, withMounts } from './inside.ts';
import { type Edge, envoyGatewayNamespace, file, kubeconfigOf, program } from './names.ts';
import type { ProcessTable } from './process-table.ts';

const { signal } = new AbortController();

export const adminPort = 19901;
/** Of the listener of Gateways' port 80. */
export const httpPort = 10080;

export interface EnvoyOptions {
  readonly edge: Edge;
  /** In names of files and of the process. */
  readonly name: string;
  /** What Envoy Gateway serves it: `namespace/name` of a Gateway, or the GatewayClass where they are merged. */
  readonly key: string;
  /** Tells Envoys of one machine apart. */
  readonly baseId: number;
  readonly inside: Inside;
  readonly isReady: () => Promise<boolean>;
  /** Trusted in place of the system's authorities: a PEM file. */
  readonly authorities: string;
}

const EnvoyProxy: Kind = unknownKind({
  group: 'gateway.envoyproxy.io',
  version: 'v1alpha1',
  kind: 'EnvoyProxy',
  plural: 'envoyproxies',
});

export async function startEnvoy(table: ProcessTable, options: EnvoyOptions): Promise<void> {
  const { edge, name, key, baseId, inside, isReady, authorities } = options;
  const bootstrap = file(edge, `${name}.json`);
  await writeFile(bootstrap, JSON.stringify(await bootstrapOf(options)));
  await table.start(name, {
    command: program('envoy'),
    args: [
      ...['--config-path', bootstrap, '--service-cluster', key, '--service-node', name, '--base-id', String(baseId)],
      ...['--concurrency', '1', '--drain-strategy', 'immediate', '--drain-time-s', '2', '--log-level', 'info'],
    ],
    // Envoy Gateway has Envoy read the system's authorities from there.
    inside: [...inside, ...withMounts({ '/etc/ssl/certs/ca-certificates.crt': authorities })],
    ready: isReady,
  });
}

interface Bootstrap {
  readonly bootstrap_extensions?: readonly unknown[];
  readonly static_resources: { readonly listeners?: readonly unknown[]; readonly clusters: readonly unknown[] };
}

/** Envoy Gateway's own, as far as a process without pods needs it, with that of the EnvoyProxy merged into it: lists are appended. */
async function bootstrapOf({ edge }: EnvoyOptions): Promise<object> {
  const client = await adminClient(kubeconfigOf(edge));
  const proxy = (await client.get(
    EnvoyProxy,
    { namespace: envoyGatewayNamespace, name: fullName(extensionServer) },
    { signal },
  )) as unknown as { spec: { bootstrap: { value: string } } };
  const added = parse(proxy.spec.bootstrap.value) as Bootstrap;
  const http2 = (more: object = {}): object => ({
    'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': {
      '@type': 'type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions',
      explicit_http_config: { http2_protocol_options: more },
    },
  });
  const certificate = (entry: string): object => ({ filename: file(edge, 'envoy-certs', entry) });
  const address = (port: number): object => ({ socket_address: { address: '127.0.0.1', port_value: port } });
  return {
    admin: { address: address(adminPort) },
    layered_runtime: {
      layers: [
        {
          name: 'global_config',
          static_layer: { 're2.max_program_size.error_level': 4294967295, 're2.max_program_size.warn_level': 1000 },
        },
      ],
    },
    dynamic_resources: {
      ads_config: {
        api_type: 'DELTA_GRPC',
        transport_api_version: 'V3',
        set_node_on_first_message_only: true,
        grpc_services: [{ envoy_grpc: { cluster_name: 'xds_cluster' } }],
      },
      lds_config: { ads: {}, resource_api_version: 'V3', initial_fetch_timeout: '0s' },
      cds_config: { ads: {}, resource_api_version: 'V3', initial_fetch_timeout: '0s' },
    },
    bootstrap_extensions: added.bootstrap_extensions ?? [],
    static_resources: {
      listeners: added.static_resources.listeners ?? [],
      clusters: [
        {
          name: 'xds_cluster',
          type: 'STATIC',
          connect_timeout: '10s',
          load_assignment: {
            cluster_name: 'xds_cluster',
            endpoints: [{ lb_endpoints: [{ endpoint: { address: address(xdsPort) } }] }],
          },
          typed_extension_protocol_options: http2({ connection_keepalive: { interval: '30s', timeout: '5s' } }),
          transport_socket: {
            name: 'envoy.transport_sockets.tls',
            typed_config: {
              '@type': 'type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext',
              common_tls_context: {
                tls_params: { tls_maximum_protocol_version: 'TLSv1_3' },
                tls_certificates: [{ certificate_chain: certificate('tls.crt'), private_key: certificate('tls.key') }],
                validation_context: {
                  trusted_ca: certificate('ca.crt'),
                  match_typed_subject_alt_names: [{ san_type: 'DNS', matcher: { exact: 'envoy-gateway' } }],
                },
              },
            },
          },
        },
        ...added.static_resources.clusters,
      ],
    },
  };
}
