/** Requests, indexes and answers for tests of the edit. */
import type { JsonObject, ObjectKey } from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { type EdgeIndex, LiveIndex } from '@lifeline/edge';
import { decodeRequest, decodeResponse, encodeRequest } from '@lifeline/envoy-api';
import { recording } from '@lifeline/envoy-api/testing';
import { createEditor } from './create-editor.ts';
import type { Answer } from './editor.ts';
import { defaultEditorSettings, type EditorSettings } from './settings.ts';

/** The namespaces of the recordings. */
export const acme = 'ns-841212f2-474e-4546-b91d-b2a500f9ea95';
export const globex = 'ns-dc384004-ca2c-45be-8d22-7a34a30d9f12';

/** `[endpoint, connector]`, or `[endpoint]` of a plain backend. */
export type BackendText = readonly [endpoint: string, connector?: string];
export interface RuleText {
  readonly name?: string;
  readonly backends: readonly BackendText[];
}

const localhost: BackendText = ['http://localhost:8080', 'laptop-7'];
const elsewhere: BackendText = ['http://localhost:8082', 'dc-1'];

/** The HTTPProxies behind the recordings. */
export const recordedProxies: Readonly<Record<ObjectKey, readonly RuleText[]>> = {
  [`${acme}/shop-api`]: [{ backends: [localhost] }],
  [`${acme}/shop-backend`]: [{ backends: [localhost] }],
  [`${acme}/status-page`]: [{ backends: [['http://192.0.2.10:8081']] }],
  [`${acme}/one-backend-filter`]: [{ backends: [localhost] }],
  [`${acme}/vault`]: [{ backends: [['https://vault.internal.test:8443', 'dc-1']] }],
  [`${acme}/https-backend-cr`]: [{ backends: [['https://bcr.internal.test:8443', 'dc-1']] }],
  [`${acme}/weighted`]: [{ backends: [localhost, elsewhere] }],
  [`${acme}/weighted-nopc`]: [{ backends: [localhost, elsewhere] }],
  [`${acme}/weighted-mixed`]: [{ backends: [localhost, ['http://192.0.2.11:8082']] }],
  [`${acme}/weighted-ip`]: [{ backends: [['http://192.0.2.30:8080'], ['http://192.0.2.31:8082']] }],
  [`${acme}/per-backend`]: [{ backends: [localhost, elsewhere] }],
  [`${acme}/https-plus-ca`]: [{ backends: [['https://inner.internal.test:8443', 'dc-1'], localhost] }],
  [`${globex}/portal`]: [{ backends: [['http://localhost:3000', 'site-a']] }],
  [`${globex}/many-rules`]: [
    { name: 'api', backends: [['http://localhost:8080', 'site-a']] },
    { backends: [['http://10.1.2.3:9000', 'site-b']] },
    { backends: [['http://192.0.2.20:8081']] },
    { backends: [] },
    { backends: [['http://localhost:8083', 'site-a']] },
  ],
};

/** Node ids of the connectors of the recordings; of others their name decides. */
export const nodeIdOf = (connector: string): string =>
  connector === 'laptop-7'
    ? 'a7'.repeat(32)
    : connector === 'dc-1'
      ? 'dc'.repeat(32)
      : Buffer.from(connector.padEnd(32, '.')).toString('hex');

export interface World {
  readonly proxies?: Readonly<Record<ObjectKey, readonly RuleText[]>>;
  /** Connectors that are online, by name in every namespace that names them; `all` by default. */
  readonly online?: readonly string[] | 'all';
}

export function indexOf({ proxies = recordedProxies, online = 'all' }: World = {}): LiveIndex {
  const index = new LiveIndex({ clock: new VirtualClock(), classes: ['lifeline-edge'] });
  for (const [key, rules] of Object.entries(proxies)) {
    setProxy(index, key, rules);
    for (const connector of connectorsOf(rules)) {
      setOnline(index, `${key.split('/')[0] ?? ''}/${connector}`, online === 'all' || online.includes(connector));
    }
  }
  index.markSynced();
  return index;
}

const connectorsOf = (rules: readonly RuleText[]): string[] =>
  rules.flatMap(({ backends }) => backends.flatMap(([, connector]) => connector ?? []));

export function setProxy(index: LiveIndex, key: ObjectKey, rules: readonly RuleText[]): void {
  index.setHTTPProxy(key, {
    spec: {
      rules: rules.map(({ name, backends }) => ({
        name,
        backends: backends.map(([endpoint, connector]) => ({
          endpoint,
          connector: connector ? { name: connector } : null,
        })),
      })),
    },
  });
}

export function setOnline(index: LiveIndex, key: ObjectKey, online: boolean): void {
  const id = nodeIdOf(key.split('/')[1] ?? '');
  index.setConnector(key, {
    metadata: {},
    status: {
      conditions: [{ type: 'Ready', status: online ? 'True' : 'False' }],
      connectionDetails: { type: 'PublicKey', publicKey: { id } },
    },
  });
}

/** A recorded request as JSON, to be changed. */
export const requestJson = (name: string): RequestJson => decodeRequest(recording(name)) as unknown as RequestJson;

export const requestBytes = (json: RequestJson): Uint8Array => encodeRequest(json as unknown as JsonObject);

/** The HTTPProxies of a merged recording: `http://localhost:8080` through a connector of the Gateway's own name. */
export const mergedProxies = ({ clusters }: RequestJson): Record<ObjectKey, readonly RuleText[]> =>
  Object.fromEntries(
    clusters.map(({ metadata }) => {
      const { namespace, name } = resourceOf(metadata);
      return [`${namespace}/${name}`, [{ backends: [['http://localhost:8080', name]] }]];
    }),
  );

/** What Envoy Gateway says that a resource comes from. */
export const resourceOf = (metadata: MetadataJson | undefined): ResourceJson => {
  const [resource] = metadata?.filter_metadata['envoy-gateway']?.resources ?? [];
  if (!resource) throw new Error('no resource');
  return resource;
};

export interface Answered {
  readonly answer: Answer;
  /** A copy: the editor uses its buffer again. */
  readonly bytes: Uint8Array;
  readonly json: AnswerJson;
}

/** The answer to a request, by name or in bytes. */
export function answered(request: string | Uint8Array, index: EdgeIndex, settings?: Partial<EditorSettings>): Answered {
  const editor = createEditor({
    index,
    settings: { ...defaultEditorSettings, ...settings },
    clock: new VirtualClock(),
  });
  const answer = editor.open(typeof request === 'string' ? recording(request) : request).answer();
  const bytes = answer.bytes.slice();
  return { answer: { ...answer, bytes }, bytes, json: decodeResponse(bytes) };
}

/** The parts of messages that tests look at. */
export interface RequestJson {
  clusters: ClusterJson[];
  listeners: JsonObject[];
  routes: RouteConfigurationJson[];
  secrets?: JsonObject[];
}
export interface AnswerJson {
  readonly clusters?: readonly ClusterJson[];
  readonly listeners?: readonly JsonObject[];
  readonly routes?: readonly RouteConfigurationJson[];
  readonly secrets?: readonly JsonObject[];
}
export interface ResourceJson {
  kind: string;
  namespace: string;
  name: string;
  sectionName?: string;
  annotations?: Record<string, string>;
}
export interface MetadataJson {
  filter_metadata: {
    'envoy-gateway'?: { resources: ResourceJson[] };
    'envoy.transport_socket_match'?: JsonObject;
    tunnel?: { address: string; endpoint_id: string };
  };
}
export interface LbEndpointJson {
  endpoint: {
    address: {
      socket_address?: { address: string; port_value: number };
      envoy_internal_address?: { server_listener_name: string; endpoint_id: string };
    };
  };
  metadata?: MetadataJson;
  load_balancing_weight?: number;
}
export interface LocalityJson {
  locality?: { region?: string };
  lb_endpoints: LbEndpointJson[];
  load_balancing_weight?: number;
}
export interface SocketJson {
  name: string;
  typed_config: { '@type': string; transport_socket?: SocketJson; sni?: string; common_tls_context?: JsonObject };
}
export interface ClusterJson {
  name: string;
  type?: string;
  metadata?: MetadataJson;
  load_assignment?: { endpoints: LocalityJson[] };
  transport_socket?: SocketJson;
  transport_socket_matches?: { name: string; match?: JsonObject; transport_socket: SocketJson }[];
}
export interface RouteJson {
  name: string;
  route?: { cluster?: string; weighted_clusters?: { clusters: { name: string; weight: number }[] } };
  direct_response?: { status: number; body: { inline_string: string } };
  redirect?: JsonObject;
  response_headers_to_add?: JsonObject[];
}
export interface VirtualHostJson {
  name: string;
  domains: string[];
  routes: RouteJson[];
  metadata?: MetadataJson;
}
export interface RouteConfigurationJson {
  name: string;
  virtual_hosts?: VirtualHostJson[];
}

/** What a cluster leads to, in short: `<address> <node id> <name that is verified>` by locality. */
export function tunnelsOf(cluster: ClusterJson | undefined): readonly string[] {
  const inner = cluster?.transport_socket?.typed_config.transport_socket;
  const socket = inner?.typed_config.sni ?? inner?.name.replace('envoy.transport_sockets.', '') ?? 'none';
  return (cluster?.load_assignment?.endpoints ?? []).flatMap(({ lb_endpoints: endpoints }) =>
    endpoints.map(({ endpoint: { address }, metadata }) => {
      const tunnel = metadata?.filter_metadata.tunnel;
      if (!tunnel) return `${address.socket_address?.address ?? '?'}:${address.socket_address?.port_value ?? '?'}`;
      const { endpoint_id: id } = address.envoy_internal_address ?? {};
      return `${tunnel.address} ${tunnel.endpoint_id.slice(0, 4)}${id === tunnel.endpoint_id ? '' : '!'} ${socket}`;
    }),
  );
}

/** Where the routes of every virtual host lead, in short. */
export const leadsOf = ({ routes = [] }: AnswerJson): readonly string[] =>
  routes.flatMap(({ virtual_hosts: hosts = [] }) => hosts.flatMap((host) => host.routes.map(leadOf)));

export function leadOf({ route, direct_response: direct, redirect }: RouteJson): string {
  if (direct) return String(direct.status);
  if (redirect) return 'redirect';
  if (route?.cluster) return tail(route.cluster);
  return (route?.weighted_clusters?.clusters ?? []).map(({ name, weight }) => `${tail(name)}=${weight}`).join(' ');
}

const tail = (cluster: string): string => cluster.slice(cluster.indexOf('/rule/') + 1);
