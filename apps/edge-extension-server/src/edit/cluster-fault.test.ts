import { edgeReasons } from '@lifeline/core';
import { encodeMessage, hookTypes } from '@lifeline/envoy-api';
import { describe, expect, it } from 'vitest';
import { sliceOf } from '../wire/text.ts';
import { ClusterCheck } from './cluster-fault.ts';
import { answered, type ClusterJson, indexOf, requestJson } from './edit.fixture.ts';

const bytesOf = (cluster: ClusterJson): Uint8Array => encodeMessage(hookTypes.cluster, { ...cluster } as never);

/** A connector's cluster as it was received, and as it was answered. */
function pair(recording: string): { received: ClusterJson; edited: ClusterJson } {
  const [received] = requestJson(recording).clusters;
  const [edited] = answered(recording, indexOf()).json.clusters ?? [];
  if (!received || !edited) throw new Error('no cluster');
  return { received, edited };
}

function faultOf(recording: string, edit: (cluster: ClusterJson) => void): string | undefined {
  const { received, edited } = pair(recording);
  edit(edited);
  return new ClusterCheck().fault(sliceOf(bytesOf(edited)), sliceOf(bytesOf(received)));
}

const endpointOf = ({ load_assignment: assignment }: ClusterJson) => {
  const endpoint = assignment?.endpoints[0]?.lb_endpoints[0];
  if (!endpoint) throw new Error('no endpoint');
  return endpoint;
};
const tunnelOf = (cluster: ClusterJson) => {
  const { metadata } = endpointOf(cluster);
  if (!metadata?.filter_metadata.tunnel) throw new Error('no tunnel');
  return metadata.filter_metadata.tunnel;
};

it.each(['one-gateway-http', 'https-backend', 'weighted-without-traffic-distribution', 'https-backend-cr'])(
  'all is well with %s',
  (recording) => {
    expect(faultOf(recording, () => undefined)).toBeUndefined();
  },
);

describe('a cluster whose edit went wrong', () => {
  const { renamed, brokenTunnel, foreignSocket } = edgeReasons;
  it.each<{ name: string; edit: (cluster: ClusterJson) => void; want: string; recording?: string }>([
    { name: 'no name', edit: (cluster) => (cluster.name = ''), want: renamed },
    { name: 'another name', edit: (cluster) => (cluster.name += '0'), want: renamed },
    { name: 'another type', edit: (cluster) => (cluster.type = 'EDS'), want: brokenTunnel },
    {
      name: 'a cluster type',
      edit: (cluster) => Object.assign(cluster, { cluster_type: { name: 'x' } }),
      want: brokenTunnel,
    },
    {
      name: 'sockets to choose from',
      edit: (cluster) => (cluster.transport_socket_matches = [{ name: 'x', transport_socket: { name: 'y' } as never }]),
      want: brokenTunnel,
    },
    { name: 'no endpoints', edit: (cluster) => (cluster.load_assignment = { endpoints: [] }), want: brokenTunnel },
    {
      name: 'an address that is no tunnel',
      edit: (cluster) =>
        (endpointOf(cluster).endpoint.address = { socket_address: { address: 'connector.local', port_value: 8080 } }),
      want: brokenTunnel,
    },
    {
      name: 'a second endpoint that is no tunnel',
      edit: (cluster) =>
        cluster.load_assignment?.endpoints[0]?.lb_endpoints.push({
          endpoint: { address: { socket_address: { address: '192.0.2.1', port_value: 80 } } },
        }),
      want: brokenTunnel,
    },
    {
      name: 'a listener without a name',
      edit: (cluster) =>
        (endpointOf(cluster).endpoint.address = {
          envoy_internal_address: { server_listener_name: '', endpoint_id: 'x' },
        }),
      want: brokenTunnel,
    },
    { name: 'no metadata', edit: (cluster) => delete endpointOf(cluster).metadata, want: brokenTunnel },
    { name: 'no node id', edit: (cluster) => (tunnelOf(cluster).endpoint_id = ''), want: brokenTunnel },
    { name: 'no port', edit: (cluster) => (tunnelOf(cluster).address = 'localhost'), want: brokenTunnel },
    { name: 'an empty port', edit: (cluster) => (tunnelOf(cluster).address = 'localhost:'), want: brokenTunnel },
    { name: 'port 0', edit: (cluster) => (tunnelOf(cluster).address = 'localhost:0'), want: brokenTunnel },
    { name: 'port 65536', edit: (cluster) => (tunnelOf(cluster).address = 'localhost:65536'), want: brokenTunnel },
    { name: 'a port alone', edit: (cluster) => (tunnelOf(cluster).address = '8080'), want: brokenTunnel },
    { name: 'no socket', edit: (cluster) => delete cluster.transport_socket, want: foreignSocket },
    {
      name: 'a socket that leads nowhere',
      edit: (cluster) => (cluster.transport_socket = { name: 'envoy.transport_sockets.raw_buffer' } as never),
      want: foreignSocket,
    },
    {
      name: 'the dummy for TLS',
      recording: 'https-backend',
      edit: (cluster) => {
        const inner = cluster.transport_socket?.typed_config.transport_socket;
        if (inner) inner.name = 'dummy.transport_socket';
      },
      want: foreignSocket,
    },
    {
      name: 'TLS that it did not come with',
      recording: 'https-backend',
      edit: (cluster) => {
        const inner = cluster.transport_socket?.typed_config.transport_socket;
        if (inner) inner.typed_config.sni = 'other.example.com';
      },
      want: foreignSocket,
    },
  ])('$name → $want', ({ edit, want, recording = 'one-gateway-http' }) => {
    expect(faultOf(recording, edit)).toBe(want);
  });

  it.each([1, 80, 65_535])('port %d is one', (port) => {
    expect(faultOf('one-gateway-http', (cluster) => (tunnelOf(cluster).address = `[::1]:${port}`))).toBeUndefined();
  });
});
