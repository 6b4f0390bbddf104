/** Objects of an edge as the index sees them. */
import { annotations, canonicalJson, type HTTPProxyLike, labels } from '@lifeline/core';
import type { SeenConnector } from './connector-table.ts';
import type { SeenGateway } from './live-index.ts';

export const nodeA = 'a'.repeat(64);
export const nodeB = 'b'.repeat(64);

export interface ConnectorOptions {
  /** Undefined: the status names no node. */
  readonly nodeId?: string | undefined;
  readonly ready?: string | undefined;
  readonly project?: string | undefined;
  readonly createdAt?: string | undefined;
  /** Differs with each heartbeat. */
  readonly beat?: string | undefined;
}

export const statusOf = ({ nodeId = nodeA, ready = 'True', beat }: ConnectorOptions): Record<string, unknown> => ({
  conditions: [{ type: 'Ready', status: ready }],
  connectionDetails: { type: 'PublicKey', publicKey: { id: nodeId, homeRelay: beat ?? 'https://relay.example.com' } },
});

/** A copy of a connector, with its mirrored status. */
export const connector = (options: ConnectorOptions = {}): SeenConnector => ({
  metadata: {
    annotations: {
      [annotations.upstreamStatus]: canonicalJson(statusOf(options)),
      ...(options.beat === undefined ? {} : { [annotations.upstreamStatusObservedAt]: options.beat }),
    },
    labels: { [labels.upstreamCluster]: options.project ?? 'cluster-acme' },
    creationTimestamp: options.createdAt ?? '2026-01-01T00:00:00Z',
  },
});

/** One rule for each list; a backend is a connector's name, or undefined for a plain one. */
export const proxy = (...rules: (readonly (string | undefined)[])[]): HTTPProxyLike => ({
  spec: {
    rules: rules.map((backends) => ({
      backends: backends.map((name) => ({
        endpoint: 'http://localhost:8080',
        ...(name === undefined ? {} : { connector: { name } }),
      })),
    })),
  },
});

export const gateway = (stamp?: string, gatewayClassName = 'edge'): SeenGateway => ({
  metadata: {
    creationTimestamp: '2026-01-01T00:00:00Z',
    ...(stamp === undefined ? {} : { annotations: { [annotations.intent]: stamp } }),
  },
  spec: { gatewayClassName },
});
