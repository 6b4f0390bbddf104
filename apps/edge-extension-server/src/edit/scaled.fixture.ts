/** Requests of many merged Gateways, made of one that was recorded, and what the index holds behind them. */
import type { ObjectKey } from '@lifeline/core';
import { systemClock } from '@lifeline/core';
import { LiveIndex } from '@lifeline/edge';
import { recording } from '@lifeline/envoy-api/testing';
import { requestFields, routeConfiguration } from './envoy-fields.ts';
import { Cursor } from '../wire/cursor.ts';
import { message } from '../wire/writer.ts';

/** The recorded Gateway: other names of the same length can be put in its place. */
const recordedName = 'edge-000';
const recordedId = '54a576cf';
const namespaceOf = (id: string): string => `ns-${id}-35f4-4918-9894-35b52e5c0eab`;

export interface ScaledGateway {
  readonly key: ObjectKey;
  readonly namespace: string;
  readonly name: string;
  readonly connector: ObjectKey;
}

export const gateway = (i: number): ScaledGateway => {
  const namespace = namespaceOf(i.toString(16).padStart(8, '0'));
  const name = `edge-${i.toString(36).padStart(3, '0')}`;
  return { key: `${namespace}/${name}`, namespace, name, connector: `${namespace}/conn-${name}` };
};

/** The hook request of `count` merged Gateways, each with a host and a cluster that stands for a connector. */
export function scaledRequest(count: number): Uint8Array {
  const recorded = recording('merged-20');
  const all = Array.from({ length: count }, (_, i) => i);
  return message((out) => {
    const cursor = new Cursor(recorded);
    while (cursor.next()) {
      const value = recorded.subarray(cursor.from, cursor.to);
      if (cursor.isBytes(requestFields.clusters)) {
        if (mentions(value)) for (const i of all) out.bytes(requestFields.clusters, renamed(value, i));
      } else if (cursor.isBytes(requestFields.routes)) {
        out.begin(requestFields.routes, 1000 * count);
        const configuration = cursor.enter();
        while (configuration.next()) {
          const field = recorded.subarray(configuration.start, configuration.after);
          if (!configuration.isBytes(routeConfiguration.virtualHosts)) out.raw(field);
          else if (mentions(field)) for (const i of all) out.raw(renamed(field, i));
        }
        out.end();
      } else out.raw(recorded.subarray(cursor.start, cursor.after));
    }
  });
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const mentions = (bytes: Uint8Array): boolean => text(bytes).includes(`/${recordedName}/`);
const renamed = (bytes: Uint8Array, i: number): Uint8Array =>
  Buffer.from(
    text(bytes).replaceAll(recordedName, gateway(i).name).replaceAll(recordedId, i.toString(16).padStart(8, '0')),
    'latin1',
  );

/** Every tenth connector is offline. */
export function scaledIndex(count: number): LiveIndex {
  const index = new LiveIndex({ clock: systemClock, classes: [] });
  for (let i = 0; i < count; i++) {
    const { key, name } = gateway(i);
    const backends = [{ endpoint: 'http://localhost:8080', connector: { name: `conn-${name}` } }];
    index.setHTTPProxy(key, { spec: { rules: [{ name: 'r0', backends }] } });
    setConnector(index, i, i % 10 !== 0);
  }
  index.markSynced();
  return index;
}

export function setConnector(index: LiveIndex, i: number, online: boolean): void {
  index.setConnector(gateway(i).connector, {
    metadata: {},
    status: {
      conditions: [{ type: 'Ready', status: online ? 'True' : 'False' }],
      connectionDetails: { type: 'PublicKey', publicKey: { id: i.toString(16).padStart(64, 'a') } },
    },
  });
}
