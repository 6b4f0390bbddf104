/** List answers of an API server for benches: the same on every run, in the key order and with the field manager records of real ones. */
import { seeded, stringifyJson } from '../src/index.ts';

const random = seeded('kubernetes-lists');
const two = (value: number): string => String(value).padStart(2, '0');
const time = (n: number): string => `2026-03-${two(1 + (n % 28))}T${two(n % 24)}:${two(n % 60)}:${two((n * 7) % 60)}Z`;
const list = (apiVersion: string, kind: string, items: readonly object[]): string =>
  stringifyJson({ kind: `${kind}List`, apiVersion, metadata: { resourceVersion: '81234567' }, items });
const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

/** `{ 'f:a': {} }` of `a`. */
const owned = (...names: readonly string[]): object => Object.fromEntries(names.map((name) => [`f:${name}`, {}]));

/** 500 Pods: about 1.7 MB, no number that a double would change. */
export const pods = (): string => list('v1', 'Pod', many(500, pod));

/** 1,000 Leases: short objects, micro times. */
export const leases = (): string => list('coordination.k8s.io/v1', 'Lease', many(1000, lease));

/** 1,000 Connectors, each with `counters` int64 counters beyond 2^53 in its status. */
export const connectors = (counters: number): string =>
  list(
    'networking.datumapis.com/v1alpha1',
    'Connector',
    many(1000, (n) => connector(n, counters)),
  ).replaceAll(/"#(\d+)"/g, '$1');

function pod(n: number): object {
  const hash = random.hex(5);
  const name = `web-${hash}-${random.hex(3)}`;
  return {
    metadata: {
      name,
      generateName: `web-${hash}-`,
      namespace: `team-${n % 20}`,
      uid: random.uuid(),
      resourceVersion: String(81_000_000 + n),
      generation: 1,
      creationTimestamp: time(n),
      labels: { app: 'web', 'app.kubernetes.io/version': '1.0', 'pod-template-hash': hash },
      annotations: { 'checksum/config': random.hex(32), 'example.com/note': `rolled out by "ci"\nbuild ${n}` },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: `web-${hash}`,
          uid: random.uuid(),
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      managedFields: [
        {
          manager: 'kube-controller-manager',
          operation: 'Update',
          apiVersion: 'v1',
          time: time(n),
          fieldsType: 'FieldsV1',
          fieldsV1: {
            'f:metadata': {
              'f:generateName': {},
              'f:labels': { '.': {}, ...owned('app', 'app.kubernetes.io/version', 'pod-template-hash') },
              'f:ownerReferences': { '.': {}, [`k:{"uid":"${random.uuid()}"}`]: {} },
            },
            'f:spec': {
              'f:containers': {
                'k:{"name":"web"}': {
                  '.': {},
                  ...owned('image', 'imagePullPolicy', 'name', 'resources', 'terminationMessagePath'),
                  'f:ports': {
                    '.': {},
                    'k:{"containerPort":8080,"protocol":"TCP"}': { '.': {}, ...owned('containerPort', 'protocol') },
                  },
                },
              },
              ...owned('dnsPolicy', 'restartPolicy', 'schedulerName', 'securityContext'),
            },
          },
        },
        {
          manager: 'kubelet',
          operation: 'Update',
          apiVersion: 'v1',
          time: time(n + 1),
          fieldsType: 'FieldsV1',
          fieldsV1: {
            'f:status': {
              'f:conditions': Object.fromEntries(
                ['Initialized', 'Ready', 'ContainersReady'].map((type) => [
                  `k:{"type":"${type}"}`,
                  { '.': {}, ...owned('lastProbeTime', 'lastTransitionTime', 'status', 'type') },
                ]),
              ),
              ...owned('containerStatuses', 'hostIP', 'phase', 'podIP', 'startTime'),
            },
          },
          subresource: 'status',
        },
      ],
    },
    spec: {
      containers: [
        {
          name: 'web',
          image: `registry.example.com:5000/team/web:1.${n % 30}.0`,
          ports: [{ containerPort: 8080, protocol: 'TCP' }],
          env: [
            { name: 'RATIO', value: '1.0' },
            { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'web', key: 'token' } } },
          ],
          resources: { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
          volumeMounts: [{ name: 'api', readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }],
          terminationMessagePath: '/dev/termination-log',
          imagePullPolicy: 'IfNotPresent',
        },
      ],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      nodeName: `node-${n % 50}`,
      tolerations: [
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      ],
      priority: 0,
    },
    status: {
      phase: 'Running',
      conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
        type,
        status: 'True',
        lastProbeTime: null,
        lastTransitionTime: time(n),
      })),
      hostIP: `10.0.${n % 250}.${random.int(250)}`,
      podIP: `10.1.${n % 250}.${random.int(250)}`,
      startTime: time(n),
      containerStatuses: [
        {
          name: 'web',
          state: { running: { startedAt: time(n) } },
          lastState: {},
          ready: true,
          restartCount: random.int(9),
          image: `registry.example.com:5000/team/web:1.${n % 30}.0`,
          imageID: `registry.example.com:5000/team/web@sha256:${random.hex(32)}`,
          containerID: `containerd://${random.hex(32)}`,
          started: true,
        },
      ],
      qosClass: 'Burstable',
    },
  };
}

function lease(n: number): object {
  return {
    metadata: {
      name: `node-${n}`,
      namespace: 'kube-node-lease',
      uid: random.uuid(),
      resourceVersion: String(82_000_000 + n),
      creationTimestamp: time(n),
    },
    spec: {
      holderIdentity: `node-${n}`,
      leaseDurationSeconds: 40,
      renewTime: time(n).replace('Z', `.${100_000 + random.int(900_000)}Z`),
    },
  };
}

/** Keys in order, as an API server sends custom resources. `#` marks what becomes a number beyond a double. */
function connector(n: number, counters: number): object {
  const condition = (type: string): object => ({
    lastTransitionTime: time(n),
    message: 'The lease of this connector is renewed.',
    observedGeneration: 1,
    reason: `Connector${type}`,
    status: 'True',
    type,
  });
  const counted = many(counters, (c) => [`bytes${c}`, `#${9_007_199_254_740_993n + BigInt(n * 1000 + c * 2)}`]);
  return {
    apiVersion: 'networking.datumapis.com/v1alpha1',
    kind: 'Connector',
    metadata: {
      creationTimestamp: time(n),
      finalizers: ['networking.datumapis.com/connector'],
      generation: 1,
      name: `connector-${n}`,
      namespace: `project-${n % 40}`,
      resourceVersion: String(83_000_000 + n),
      uid: random.uuid(),
    },
    spec: { capabilities: [{ type: 'ConnectTCP' }], connectorClassName: 'datum-connect' },
    status: {
      capabilities: [{ conditions: [condition('Ready')], type: 'ConnectTCP' }],
      conditions: [condition('Accepted'), condition('Ready')],
      connectionDetails: {
        publicKey: {
          addresses: [{ address: `203.0.113.${n % 250}`, port: 41_641 }],
          discoveryMode: 'DNS',
          homeRelay: 'https://relay-1.example.com',
          id: random.hex(32),
        },
        type: 'PublicKey',
      },
      counters: Object.fromEntries(counted) as object,
      leaseRef: { name: `connector-${n}` },
    },
  };
}
