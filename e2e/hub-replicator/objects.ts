/** Objects as users write them. */
import { labels } from '@lifeline/core';
import { nodeId } from './agent.ts';

/** A proxy to a connector's private service. */
export const proxySpec = (connector?: string, hostname = 'web.example'): unknown => ({
  hostnames: [hostname],
  rules: [
    { backends: [{ endpoint: 'http://app.internal:8080', ...(connector && { connector: { name: connector } }) }] },
  ],
});

export const proxy = (
  name: string,
  { namespace = 'default', connector = '', hostname = 'web.example' } = {},
): unknown => ({
  metadata: { namespace, name },
  spec: proxySpec(connector, hostname),
});

/** A ConfigMap that travels. */
export const synced = (name: string, data: Readonly<Record<string, string>>, namespace = 'default'): unknown => ({
  metadata: { namespace, name, labels: { [labels.gatewaySync]: 'true' } },
  data,
});

export const condition = (type: string, status: 'True' | 'False' | 'Unknown', more: object = {}): unknown => ({
  type,
  status,
  reason: type,
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
  ...more,
});

export const connector = (name: string, namespace = 'default'): unknown => ({
  metadata: { namespace, name },
  spec: { connectorClassName: 'tunnel' },
});

/** What an agent says of itself, with the verdict on its Lease. */
export const onlineStatus = (ready: 'True' | 'False', homeRelay = 'https://relay.example'): unknown => ({
  conditions: [
    {
      type: 'Ready',
      status: ready,
      reason: ready === 'True' ? 'ConnectorReady' : 'ConnectorNotReady',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    },
  ],
  connectionDetails: { type: 'PublicKey', publicKey: { id: nodeId, homeRelay, addresses: [] } },
});
