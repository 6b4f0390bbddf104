import { isJsonObject, type JsonObject, type JsonValue } from '@lifeline/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../api-error.ts';
import { builtinType } from '../resources/builtin/builtin-type.ts';
import { arbitraryMessage } from '../resources/builtin/types/arbitrary.fixture.ts';
import { decodeTyped } from '../schema/decode-typed.ts';
import { decodeProtobuf } from './decode.ts';
import { writeProtobuf } from './message-writer.fixture.ts';
import { recordedBodies } from './recorded-bodies.fixture.ts';

const rbac = 'rbac.authorization.k8s.io';
const named = (name: string): JsonObject => ({ name, namespace: 'demo' });

/** What kubectl prints for the same arguments with `--dry-run=client -o json`. */
const printed: Readonly<Record<string, JsonObject>> = {
  'create configmap cm --from-literal=a=b --from-literal=url=http://x/ä --from-file=raw=bin': {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: named('cm'),
    data: { a: 'b', url: 'http://x/ä' },
    binaryData: { raw: '//4A' },
  },
  'create namespace team': { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' }, spec: {}, status: {} },
  'create secret generic sec --from-literal=user=admin --type=example.com/x': {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: named('sec'),
    data: { user: 'YWRtaW4=' },
    type: 'example.com/x',
  },
  'create service clusterip svc --tcp=80:8080 --tcp=443:https': {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...named('svc'), labels: { app: 'svc' } },
    spec: {
      ports: [
        { name: '80-8080', protocol: 'TCP', port: 80, targetPort: 8080 },
        { name: '443-https', protocol: 'TCP', port: 443, targetPort: 'https' },
      ],
      selector: { app: 'svc' },
      type: 'ClusterIP',
    },
    status: { loadBalancer: {} },
  },
  'create service nodeport np --tcp=80 --node-port=30080': {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...named('np'), labels: { app: 'np' } },
    spec: {
      ports: [{ name: '80', protocol: 'TCP', port: 80, targetPort: 80, nodePort: 30080 }],
      selector: { app: 'np' },
      type: 'NodePort',
    },
    status: { loadBalancer: {} },
  },
  'create service externalname ex --external-name=example.com': {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...named('ex'), labels: { app: 'ex' } },
    spec: { selector: { app: 'ex' }, type: 'ExternalName', externalName: 'example.com' },
    status: { loadBalancer: {} },
  },
  'create serviceaccount sa': { apiVersion: 'v1', kind: 'ServiceAccount', metadata: named('sa') },
  'create role rx --verb=get,list --resource=pods,deployments.apps --resource-name=a': {
    apiVersion: `${rbac}/v1`,
    kind: 'Role',
    metadata: { name: 'rx', namespace: 'd-types' },
    rules: [
      { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'], resourceNames: ['a'] },
      { verbs: ['get', 'list'], apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['a'] },
    ],
  },
  'create rolebinding rb --role=r --user=u --serviceaccount=demo:default': {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: named('rb'),
    subjects: [
      { kind: 'User', apiGroup: rbac, name: 'u' },
      { kind: 'ServiceAccount', name: 'default', namespace: 'demo' },
    ],
    roleRef: { apiGroup: rbac, kind: 'Role', name: 'r' },
  },
  'create clusterrole cr --verb=get --non-resource-url=/metrics': {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata: { name: 'cr' },
    rules: [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }],
  },
  'create clusterrole agg --aggregation-rule=a=b': {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata: { name: 'agg' },
    rules: null,
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
  },
  'create clusterrolebinding crb --clusterrole=cr --group=g': {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'crb' },
    subjects: [{ kind: 'Group', apiGroup: rbac, name: 'g' }],
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'cr' },
  },
  'create deployment dep --image=nginx:1.27 --replicas=3 --port=80': {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...named('dep'), labels: { app: 'dep' } },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: 'dep' } },
      strategy: {},
      template: {
        metadata: { labels: { app: 'dep' } },
        spec: { containers: [{ name: 'nginx', image: 'nginx:1.27', ports: [{ containerPort: 80 }], resources: {} }] },
      },
    },
    status: {},
  },
  'auth can-i get pods --subresource=log': {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    metadata: {},
    spec: { resourceAttributes: { namespace: 'd-types', verb: 'get', resource: 'pods', subresource: 'log' } },
    status: { allowed: false },
  },
  'auth can-i --list': {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectRulesReview',
    metadata: {},
    spec: { namespace: 'demo' },
    status: { resourceRules: null, nonResourceRules: null, incomplete: false },
  },
  'auth whoami': {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'SelfSubjectReview',
    metadata: {},
    status: { userInfo: {} },
  },
};

describe('decodeProtobuf', () => {
  it.each(Object.entries(recordedBodies))('kubectl %s', (command, body) => {
    expect(decodeProtobuf(Buffer.from(body, 'base64'), 'any')).toEqual(printed[command]);
  });

  it.each([
    ['v1', 'ConfigMap'],
    ['v1', 'Secret'],
    ['v1', 'Namespace'],
    ['v1', 'Service'],
    ['v1', 'Event'],
    ['v1', 'DeleteOptions'],
    ['events.k8s.io/v1', 'Event'],
    ['coordination.k8s.io/v1', 'Lease'],
    ['discovery.k8s.io/v1', 'EndpointSlice'],
    ['rbac.authorization.k8s.io/v1', 'ClusterRole'],
    ['authorization.k8s.io/v1', 'SubjectAccessReview'],
    ['apps/v1', 'Deployment'],
    ['apiextensions.k8s.io/v1', 'CustomResourceDefinition'],
  ])('%s %s: what Go writes is read as its JSON is', (apiVersion, kind) => {
    const type = builtinType(apiVersion, kind) as NonNullable<ReturnType<typeof builtinType>>;
    fc.assert(
      fc.property(arbitraryMessage(type), (body) => {
        const { object } = decodeTyped(type, body);
        const root = { ...object, apiVersion, kind };
        expect(decodeProtobuf(writeProtobuf(type, root), kind)).toEqual(root);
      }),
      { seed: 41, numRuns: 60 },
    );
  });

  const unknown = (...parts: (string | number[])[]): Uint8Array =>
    Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const refused = 'the object provided is unrecognized (must be of type ConfigMap): ';

  it.each([
    [
      'no protobuf',
      unknown('garbage'),
      `${refused}provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] (67617262616765)`,
    ],
    ['nothing after the prefix', unknown('k8s\0'), `${refused}empty body (6b387300)`],
    [
      'no message after the prefix',
      unknown('k8s\0garbage'),
      `${refused}proto: illegal wireType 7 (6b38730067617262616765)`,
    ],
    [
      'a kind that is none',
      unknown('k8s\0\n\x09\n\x02v1\x12\x03Foo'),
      'Foo in version "v1" cannot be handled as a ConfigMap: no kind "Foo" is registered for version "v1"',
    ],
    [
      'a type that is no kind',
      unknown('k8s\0\n\x11\n\x02v1\x12\x0bServicePort'),
      'ServicePort in version "v1" cannot be handled as a ConfigMap: no kind "ServicePort" is registered for version "v1"',
    ],
    [
      'an object that ends too early',
      unknown('k8s\0\n\x0f\n\x02v1\x12\x09ConfigMap\x12\x04abcd'),
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: unexpected EOF',
    ],
    [
      'a text that is no UTF-8',
      unknown('k8s\0\n\x0f\n\x02v1\x12\x09ConfigMap\x12\x05\n\x03\n\x01', [0xff]),
      expect.stringContaining('ConfigMap in version "v1" cannot be handled as a ConfigMap: proto: '),
    ],
    [
      'a field of another wire type',
      unknown('k8s\0\n\x0f\n\x02v1\x12\x09ConfigMap\x12\x02\x08\x01'),
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: proto: wrong wireType = 0 for field metadata',
    ],
  ])('refuses %s', (_, body, message: unknown) => {
    const status = statusOf(() => decodeProtobuf(body, 'ConfigMap'));
    expect(status).toMatchObject({ code: 400, reason: 'BadRequest', message });
  });

  it('skips fields that it does not know, of every wire type', () => {
    const fields = '\n\x03\n\x01a\xa0\x06\x01\xa1\x06aaaaaaaa\xa2\x06\x01a\xa5\x06aaaa';
    const body = Buffer.from(
      `k8s\0\n\x0f\n\x02v1\x12\x09ConfigMap\x12${String.fromCharCode(fields.length)}${fields}`,
      'latin1',
    );
    expect(decodeProtobuf(body, 'ConfigMap')).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
  });
});

function statusOf(act: () => unknown): JsonValue {
  try {
    act();
  } catch (error) {
    if (error instanceof ApiError && isJsonObject(error.status)) return error.status;
    throw error;
  }
  return null;
}
