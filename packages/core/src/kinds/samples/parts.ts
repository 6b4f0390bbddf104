/** What sample objects are made of. */
import type { Condition } from '../../meta/conditions.ts';
import type { ObjectMeta } from '../../meta/object.ts';

export const time = '2026-01-01T00:00:00Z';

export const clusterMeta: ObjectMeta = {
  name: 'sample',
  uid: '7f9c1d2e-0000-4000-8000-000000000001',
  resourceVersion: '42',
  generation: 3,
  creationTimestamp: time,
  labels: { 'meta.datumapis.com/upstream-namespace': 'default' },
  annotations: { 'networking.datumapis.com/upstream-status': '{}' },
  finalizers: ['gateway.networking.datumapis.com/gateway-resource-replicator'],
  ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'anchor', uid: 'u', controller: false }],
};

export const metadata: ObjectMeta = { ...clusterMeta, namespace: 'default' };

export const condition = (type: string, reason = 'Pending'): Condition => ({
  type,
  status: 'True',
  reason,
  message: 'a message',
  lastTransitionTime: time,
  observedGeneration: 3,
});

export const policyStatus = {
  ancestors: [
    {
      ancestorRef: {
        group: 'gateway.networking.k8s.io',
        kind: 'Gateway',
        namespace: 'default',
        name: 'g',
        sectionName: 'http',
        port: 80,
      },
      controllerName: 'gateway.envoyproxy.io/gatewayclass-controller',
      conditions: [condition('Accepted')],
    },
  ],
};

export const targetRef = { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'g', sectionName: 'http' };

export const labelSelector = {
  matchLabels: { 'topology.datum.net/city-code': 'LAX' },
  matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }],
};
