import { describe, expect, it } from 'vitest';
import type { Manifest } from '../../manifest.ts';
import { annotations, labels } from '../../words.ts';
import { nativeInterpreters } from './index.ts';

const deployment = nativeInterpreters('apps/v1 Deployment');
const service = nativeInterpreters('v1 Service');

const object = (fields: Partial<Manifest>): Manifest => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  ...fields,
  metadata: { name: 'a', generation: 2, ...fields.metadata },
});

describe('Deployments', () => {
  const containers = [
    { resources: { requests: { cpu: '100m' } } },
    { resources: { requests: { cpu: '200m', memory: '1Mi' } } },
  ];
  const status = { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2, observedGeneration: 2 };

  it('replicas, and what each asks for', () => {
    expect(deployment?.getReplicas?.(object({ spec: { replicas: 3, template: { spec: { containers } } } }))).toEqual({
      replicas: 3,
      requirements: { resourceRequest: { cpu: '300m', memory: '1Mi' } },
    });
    expect(deployment?.getReplicas?.(object({ spec: { replicas: 0 } }))).toEqual({
      replicas: 0,
      requirements: undefined,
    });
    expect(deployment?.reviseReplica?.(object({ spec: { replicas: 3, paused: true } }), 1).spec).toEqual({
      replicas: 1,
      paused: true,
    });
  });

  it('the member’s replicas stay only if the label says so', () => {
    const observed = object({ spec: { replicas: 9 } });
    const plain = object({ spec: { replicas: 1 } });
    expect(deployment?.retain?.(plain, observed).spec).toEqual({ replicas: 1 });
    const keeping = object({
      spec: { replicas: 1 },
      metadata: { name: 'a', labels: { [labels.retainReplicas]: 'true' } },
    });
    expect(deployment?.retain?.(keeping, observed).spec).toEqual({ replicas: 9 });
  });

  it('reflects and aggregates', () => {
    const member = object({
      status,
      metadata: { name: 'a', generation: 2, annotations: { [annotations.templateGeneration]: '2' } },
    });
    const reflected = deployment?.reflectStatus?.(member);
    expect(reflected).toEqual({ ...status, generation: 2, resourceTemplateGeneration: 2 });
    const items = [
      { clusterName: 'm1', status: reflected as Record<string, unknown> },
      { clusterName: 'm2', status: { ...(reflected as Record<string, unknown>), readyReplicas: 1 } },
    ];
    expect(deployment?.aggregateStatus?.(object({}), items).status).toEqual({
      replicas: 4,
      updatedReplicas: 4,
      readyReplicas: 3,
      availableReplicas: 4,
      observedGeneration: 2,
    });
    const behind = object({ metadata: { name: 'a', generation: 3 }, status: { observedGeneration: 2 } });
    expect(deployment?.aggregateStatus?.(behind, items).status).toMatchObject({ observedGeneration: 2 });
    expect(deployment?.reflectStatus?.(object({}))).toBeUndefined();
  });

  it.each([
    ['all there', {}, true],
    ['not seen yet', { observedGeneration: 1 }, false],
    ['not updated', { updatedReplicas: 1 }, false],
    ['not available', { availableReplicas: 1 }, false],
  ])('health: %s', (_, fields, want) => {
    expect(deployment?.interpretHealth?.(object({ spec: { replicas: 2 }, status: { ...status, ...fields } }))).toBe(
      want,
    );
  });
});

describe('Services', () => {
  const balanced = (ingress: readonly Record<string, string>[]): Manifest =>
    object({
      apiVersion: 'v1',
      kind: 'Service',
      spec: { type: 'LoadBalancer' },
      status: { loadBalancer: ingress.length > 0 ? { ingress } : {} },
    });

  it('what the member gave out stays', () => {
    const observed = object({ spec: { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], other: 'x' } });
    expect(service?.retain?.(object({ spec: { type: 'ClusterIP' } }), observed).spec).toEqual({
      type: 'ClusterIP',
      clusterIP: '10.0.0.1',
      clusterIPs: ['10.0.0.1'],
    });
  });

  it('addresses are listed by cluster; a Service without a load balancer has no status', () => {
    const items = [
      {
        clusterName: 'm1',
        status: service?.reflectStatus?.(balanced([{ ip: '192.0.2.1' }])) as Record<string, unknown>,
      },
      {
        clusterName: 'm2',
        status: service?.reflectStatus?.(balanced([{ hostname: 'own', ip: '192.0.2.2' }])) as Record<string, unknown>,
      },
    ];
    expect(service?.aggregateStatus?.(balanced([]), items).status).toEqual({
      loadBalancer: {
        ingress: [
          { hostname: 'm1', ip: '192.0.2.1' },
          { hostname: 'own', ip: '192.0.2.2' },
        ],
      },
    });
    const plain = object({ apiVersion: 'v1', kind: 'Service', spec: {} });
    expect(service?.reflectStatus?.(plain)).toBeUndefined();
    expect(service?.aggregateStatus?.(plain, items)).toBe(plain);
    expect([
      service?.interpretHealth?.(plain),
      service?.interpretHealth?.(balanced([])),
      service?.interpretHealth?.(balanced([{ ip: 'x' }])),
    ]).toEqual([true, false, true]);
  });
});

it('other kinds are not known', () => {
  expect(nativeInterpreters('example.com/v1 Thing')).toBeUndefined();
  expect(nativeInterpreters('constructor')).toBeUndefined();
});
