/** Calls before the first call: a process that has never edited takes tens of times as long for its first edits. */
import { edgeDefaults, metadataNamespaces } from '@lifeline/core';
import type { EdgeIndex, ProxyProgram } from '@lifeline/edge';
import type { Editor } from '../edit/editor.ts';
import * as fields from '../edit/envoy-fields.ts';
import { Writer } from '../wire/writer.ts';

/** HTTPProxies in a request that is made up. */
const proxiesPerRequest = 200;
/** As many edits as it takes until more of them change little. */
const rounds = 20;

/**
 * Edits requests that are made of what the index holds, and forgets the answers. An index that holds nothing needs no warm edit.
 * @param newEditor without a memory: to one that has answered, the second edit is nothing new
 */
export function warmUp(newEditor: () => Editor, index: EdgeIndex): void {
  const proxies = [...index.proxies()].slice(0, proxiesPerRequest);
  if (proxies.length === 0) return;
  const request = requestThrough(proxies);
  for (let round = 0; round < rounds; round++) {
    const editor = newEditor();
    for (let call = 0; call < 2; call++) editor.open(request).answer();
  }
}

/** A merged translation of these, as far as the edit looks at one. */
export function requestThrough(proxies: readonly ProxyProgram[]): Uint8Array {
  const writer = new Writer(64 * 1024);
  writer.reset();
  for (const proxy of proxies) for (const name of clustersOf(proxy)) writeCluster(writer, proxy, name);
  writer.begin(fields.requestFields.routes);
  writer.text(fields.routeConfiguration.name, 'http-80');
  for (const proxy of proxies) writeVirtualHost(writer, proxy);
  writer.end();
  return writer.written().slice();
}

interface NamedCluster {
  readonly name: string;
  readonly port: number;
}

const clustersOf = ({ key, rules }: ProxyProgram): NamedCluster[] =>
  rules.flatMap(({ backends }, rule) =>
    backends.flatMap((backend, i) =>
      backend?.endpoint ? [{ name: `httproute/${key}/rule/${rule}/backend/${i}`, port: backend.endpoint.port }] : [],
    ),
  );

function writeCluster(writer: Writer, { key }: ProxyProgram, { name, port }: NamedCluster): void {
  writer.begin(fields.requestFields.clusters);
  writer.text(fields.cluster.name, name);
  writeResource(writer, fields.cluster.metadata, { kind: 'HTTPRoute', key });
  writer.begin(fields.cluster.loadAssignment);
  for (const field of [
    fields.loadAssignment.endpoints,
    fields.localityEndpoints.lbEndpoints,
    fields.lbEndpoint.endpoint,
    fields.endpoint.address,
    fields.address.socketAddress,
  ])
    writer.begin(field);
  writer.text(fields.socketAddress.address, edgeDefaults.placeholderHost);
  writer.uint(fields.socketAddress.portValue, port);
  for (let open = 0; open < 7; open++) writer.end();
}

function writeVirtualHost(writer: Writer, proxy: ProxyProgram): void {
  const { key } = proxy;
  const host = `${key.replace('/', '.')}.example.test`;
  writer.begin(fields.routeConfiguration.virtualHosts);
  writer.text(fields.virtualHost.name, host);
  writer.text(fields.virtualHost.domains, host);
  for (const { name } of clustersOf(proxy)) {
    writer.begin(fields.virtualHost.routes);
    writer.begin(fields.route.route);
    writer.text(fields.routeAction.cluster, name);
    writer.end();
    writer.end();
  }
  writeResource(writer, fields.virtualHost.metadata, { kind: 'Gateway', key });
  writer.end();
}

/** `filter_metadata["envoy-gateway"].resources[0]`. */
function writeResource(
  writer: Writer,
  field: number,
  { kind, key }: { readonly kind: string; readonly key: string },
): void {
  const [namespace = '', name = ''] = key.split('/');
  writer.begin(field);
  writer.begin(fields.metadata.filterMetadata);
  writer.text(fields.mapEntry.key, metadataNamespaces.envoyGateway);
  writer.begin(fields.mapEntry.value);
  writeEntry(writer, 'resources', () => {
    writer.begin(fields.value.list);
    writer.begin(fields.listValue.values);
    writer.begin(fields.value.struct);
    for (const [member, text] of Object.entries({ kind, namespace, name }))
      writeEntry(writer, member, () => writer.text(fields.value.string, text));
    for (let open = 0; open < 3; open++) writer.end();
  });
  for (let open = 0; open < 3; open++) writer.end();
}

function writeEntry(writer: Writer, key: string, value: () => void): void {
  writer.begin(fields.struct.fields);
  writer.text(fields.mapEntry.key, key);
  writer.begin(fields.mapEntry.value);
  value();
  writer.end();
  writer.end();
}
