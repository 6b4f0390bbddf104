import { deepEqual, deepFreeze, JsonNumber, type JsonObject, type JsonValue } from '@lifeline/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtinType } from '../resources/builtin/builtin-type.ts';
import { arbitraryMessage } from '../resources/builtin/types/arbitrary.fixture.ts';
import { decodeTyped } from './decode-typed.ts';
import type { MessageType } from './message-type.ts';

/** Types are named in tables of cases: printed, they are long. */
const apiVersions: Readonly<Record<string, string>> = {
  Lease: 'coordination.k8s.io/v1',
  Role: 'rbac.authorization.k8s.io/v1',
  Deployment: 'apps/v1',
  CustomResourceDefinition: 'apiextensions.k8s.io/v1',
};

function typeOf(kind: string): MessageType {
  const type = builtinType(apiVersions[kind] ?? 'v1', kind);
  if (!type) throw new TypeError(`no kind ${kind}`);
  return type;
}

const renewed = (renewTime: JsonValue): JsonObject => ({ spec: { renewTime } });
const duration = (leaseDurationSeconds: JsonValue): JsonObject => ({ spec: { leaseDurationSeconds } });
const cpu = (amount: JsonValue): JsonObject => ({
  spec: { selector: {}, template: { spec: { containers: [{ name: 'a', resources: { limits: { cpu: amount } } }] } } },
});

const micro = '2006-01-02T15:04:05.000000Z07:00';
const regularExpression = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

type Mistyped = [kind: string, body: JsonObject, says: [found: string, field: string, type: string]];

const refused = (kind: string, body: JsonObject, message: string): void =>
  expect(() => decodeTyped(typeOf(kind), body)).toThrow(
    expect.objectContaining({ code: 'mistyped', message: `mistyped: ${message}` }),
  );

describe('decodeTyped refuses, in the words of kube-apiserver 1.36.3', () => {
  it.each<Mistyped>([
    ['ConfigMap', { data: 'x' }, ['string', 'ConfigMap.data', 'map[string]string']],
    ['ConfigMap', { data: ['x'] }, ['array', 'ConfigMap.data', 'map[string]string']],
    ['ConfigMap', { data: { x: 1.5 } }, ['number', 'ConfigMap.data', 'string']],
    ['ConfigMap', { data: { x: { y: 1 } } }, ['object', 'ConfigMap.data', 'string']],
    ['ConfigMap', { binaryData: { x: 5 } }, ['number', 'ConfigMap.binaryData', '[]uint8']],
    ['ConfigMap', { immutable: 'x' }, ['string', 'ConfigMap.immutable', 'bool']],
    ['ConfigMap', { metadata: 'x' }, ['string', 'ConfigMap.metadata', 'v1.ObjectMeta']],
    ['ConfigMap', { metadata: { name: 5 } }, ['number', 'ObjectMeta.metadata.name', 'string']],
    ['ConfigMap', { metadata: { generation: '5' } }, ['string', 'ObjectMeta.metadata.generation', 'int64']],
    ['ConfigMap', { metadata: { finalizers: ['a.b/c', 5] } }, ['number', 'ObjectMeta.metadata.finalizers', 'string']],
    [
      'ConfigMap',
      { metadata: { ownerReferences: [{ controller: 'x' }] } },
      ['string', 'OwnerReference.metadata.ownerReferences.controller', 'bool'],
    ],
    [
      'ConfigMap',
      { metadata: { creationTimestamp: 5 } },
      ['number', 'ObjectMeta.metadata.creationTimestamp', 'string'],
    ],
    ['Lease', renewed({}), ['object', 'LeaseSpec.spec.renewTime', 'string']],
    [
      'Lease',
      { spec: { leaseDurationSeconds: '10', holderIdentity: 5, renewTime: null } },
      ['string', 'LeaseSpec.spec.leaseDurationSeconds', 'int32'],
    ],
    ['Lease', { spec: [] }, ['array', 'Lease.spec', 'v1.LeaseSpec']],
    ...[new JsonNumber('1.0'), 1.5, 5_000_000_000, new JsonNumber('1e1')].map((number): Mistyped => [
      'Lease',
      duration(number),
      [`number ${String(number)}`, 'LeaseSpec.spec.leaseDurationSeconds', 'int32'],
    ]),
    [
      'Lease',
      { metadata: { deletionGracePeriodSeconds: new JsonNumber('99999999999999999999') } },
      ['number 99999999999999999999', 'ObjectMeta.metadata.deletionGracePeriodSeconds', 'int64'],
    ],
    [
      'Service',
      { spec: { ports: [{ targetPort: 1.5 }] } },
      ['number 1.5', 'ServicePort.spec.ports.targetPort', 'int32'],
    ],
    ['Service', { spec: { ports: [{ targetPort: true }] } }, ['bool', 'ServicePort.spec.ports.targetPort', 'int32']],
    ['Service', { spec: { ports: {} } }, ['object', 'ServiceSpec.spec.ports', '[]v1.ServicePort']],
    ['Service', { spec: { ports: ['x'] } }, ['string', 'ServiceSpec.spec.ports', 'v1.ServicePort']],
    ['Service', { spec: { type: 5 } }, ['number', 'ServiceSpec.spec.type', 'v1.ServiceType']],
  ])('%s %o: %s', (kind, body, [found, field, type]) => {
    refused(kind, body, `json: cannot unmarshal ${found} into Go struct field ${field} of type ${type}`);
  });

  it.each<[string, JsonObject, string]>([
    ['ConfigMap', { binaryData: { x: 'a' } }, 'illegal base64 data at input byte 0'],
    [
      'ConfigMap',
      { metadata: { creationTimestamp: 'x' } },
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    ],
    [
      'Lease',
      renewed('2026-01-01T00:00:00Z'),
      `parsing time "2026-01-01T00:00:00Z" as "${micro}": cannot parse "Z" as ".000000"`,
    ],
    [
      'Lease',
      renewed('2026-01-01T00:00:00.123Z'),
      `parsing time "2026-01-01T00:00:00.123Z" as "${micro}": cannot parse ".123Z" as ".000000"`,
    ],
    [
      'Lease',
      renewed('2026-01-01T00:00:00.1234567Z'),
      `parsing time "2026-01-01T00:00:00.1234567Z" as "${micro}": cannot parse "7Z" as "Z07:00"`,
    ],
    ['Lease', renewed('2026-02-30T00:00:00.123456Z'), 'parsing time "2026-02-30T00:00:00.123456Z": day out of range'],
    ['Lease', renewed('2026-13-01T00:00:00.123456Z'), 'parsing time "2026-13-01T00:00:00.123456Z": month out of range'],
    ['Lease', renewed('2026-01-01T25:00:00.123456Z'), 'parsing time "2026-01-01T25:00:00.123456Z": hour out of range'],
    [
      'Lease',
      renewed('2026-01-01T00:00:00.123456+25:00'),
      'parsing time "2026-01-01T00:00:00.123456+25:00": time zone offset hour out of range',
    ],
    ['Lease', renewed('2026-01-01T00:00:00.123456Zx'), 'parsing time "2026-01-01T00:00:00.123456Zx": extra text: "x"'],
    ['Lease', renewed(''), `parsing time "" as "${micro}": cannot parse "" as "2006"`],
    [
      'Lease',
      { spec: { leaseDurationSeconds: '10', renewTime: '' } },
      `parsing time "" as "${micro}": cannot parse "" as "2006"`,
    ],
    ['Deployment', cpu('x'), regularExpression],
    ['Deployment', cpu(true), regularExpression],
    ['Deployment', cpu('1x'), regularExpression],
    ['Deployment', cpu('1Ei2'), "unable to parse quantity's suffix"],
    [
      'CustomResourceDefinition',
      { spec: { versions: [{ schema: { openAPIV3Schema: { additionalProperties: 'x' } } }] } },
      'boolean or JSON schema expected',
    ],
  ])('%s %o', refused);
});

describe('decodeTyped keeps what Go would write', () => {
  it.each<[string, string, JsonObject, JsonObject]>([
    [
      'a null in a map is an empty text',
      'ConfigMap',
      { data: { x: null }, binaryData: { y: null, z: '' }, metadata: { labels: { a: null }, annotations: {} } },
      { data: { x: '' }, binaryData: { y: '', z: '' }, metadata: { labels: { a: '' } } },
    ],
    ['a null where metadata should be', 'ConfigMap', { metadata: null, immutable: null }, { metadata: {} }],
    [
      'empty texts, numbers and lists go; what a pointer points to stays',
      'ConfigMap',
      { metadata: { name: '', generation: 0, finalizers: [], labels: {}, creationTimestamp: null }, immutable: false },
      { metadata: {}, immutable: false },
    ],
    ['the structs of a Namespace', 'Namespace', {}, { metadata: {}, spec: {}, status: {} }],
    ['and of a Service', 'Service', {}, { metadata: {}, spec: {}, status: { loadBalancer: {} } }],
    [
      'an Event says all its times',
      'Event',
      {},
      {
        metadata: {},
        involvedObject: {},
        source: {},
        firstTimestamp: null,
        lastTimestamp: null,
        eventTime: null,
        reportingComponent: '',
        reportingInstance: '',
      },
    ],
    ['a list that is written though it is empty', 'Role', { rules: [] }, { metadata: {}, rules: null }],
    ['a null in a list', 'Role', { rules: [null] }, { metadata: {}, rules: [{ verbs: null }] }],
    [
      'times in UTC, without what is below the second',
      'ConfigMap',
      {
        metadata: { creationTimestamp: '2026-01-01T01:00:00.9+01:00', deletionTimestamp: '2026-01-31T23:59:59-00:01' },
      },
      { metadata: { creationTimestamp: '2026-01-01T00:00:00Z', deletionTimestamp: '2026-02-01T00:00:59Z' } },
    ],
    [
      'or with six digits; Go’s zero time is none',
      'Lease',
      { spec: { renewTime: '2026-01-01T01:00:00.123456+01:00', acquireTime: '0001-01-01T00:00:00.000000Z' } },
      { metadata: {}, spec: { renewTime: '2026-01-01T00:00:00.123456Z' } },
    ],
    [
      'whole numbers however long',
      'Lease',
      { metadata: { generation: new JsonNumber('9007199254740993') }, spec: { leaseDurationSeconds: 0 } },
      { metadata: { generation: new JsonNumber('9007199254740993') }, spec: { leaseDurationSeconds: 0 } },
    ],
    [
      'minus zero',
      'Lease',
      { spec: { leaseTransitions: new JsonNumber('-0') } },
      { metadata: {}, spec: { leaseTransitions: 0 } },
    ],
    [
      'base64 without line breaks, and without bits that no byte needs',
      'Secret',
      { data: { a: 'YWJj\nZGVm', b: 'YR==\n' } },
      { metadata: {}, data: { a: 'YWJjZGVm', b: 'YQ==' } },
    ],
    [
      'schemas in their short forms',
      'CustomResourceDefinition',
      {
        metadata: {},
        spec: {
          group: 'a.b',
          names: { plural: 'as', kind: 'A' },
          scope: 'Namespaced',
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: {
                openAPIV3Schema: {
                  items: { type: 'string', nonsense: 1 },
                  additionalProperties: true,
                  maximum: new JsonNumber('1.0'),
                  enum: [null, 1],
                  default: null,
                },
              },
            },
          ],
        },
        status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null },
      },
      {
        metadata: {},
        spec: {
          group: 'a.b',
          names: { plural: 'as', kind: 'A' },
          scope: 'Namespaced',
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: {
                openAPIV3Schema: {
                  items: { type: 'string' },
                  additionalProperties: true,
                  maximum: 1,
                  enum: [null, 1],
                },
              },
            },
          ],
        },
        status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null },
      },
    ],
  ])('%s', (...[, kind, body, object]) => {
    expect(decodeTyped(typeOf(kind), deepFreeze(body))).toEqual({ object, unknownFields: [] });
  });

  it.each([
    ['0.5', '500m'],
    [0.1, '100m'],
    ['1.5Gi', '1536Mi'],
    [1, '1'],
    [' 1 ', '1'],
    [null, '0'],
  ])('quantity %o as %s', (written, read) => {
    const { object } = decodeTyped(typeOf('Deployment'), cpu(written));
    expect(object).toMatchObject(cpu(read));
  });
});

describe('decodeTyped tells unknown fields', () => {
  it('by their paths, in the order of the body; case matters', () => {
    const body = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      Metadata: {},
      Data: {},
      metadata: { name: 'a', ownerReferences: [{ foo: 1 }], __proto__x: 1 },
      x: { y: 1 },
    };
    expect(decodeTyped(typeOf('ConfigMap'), body)).toEqual({
      object: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'a', ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }] },
      },
      unknownFields: ['Metadata', 'Data', 'metadata.ownerReferences[0].foo', 'metadata.__proto__x', 'x'],
    });
  });

  it('and those that objects inherit', () => {
    const body = JSON.parse(
      '{"metadata":{"__proto__":{"name":"a"},"constructor":1},"data":{"__proto__":"x","y":null}}',
    ) as JsonObject;
    const { object, unknownFields } = decodeTyped(typeOf('ConfigMap'), body);
    expect(unknownFields).toEqual(['metadata.__proto__', 'metadata.constructor']);
    expect(JSON.stringify(object)).toBe('{"metadata":{},"data":{"__proto__":"x","y":""}}');
  });

  it('embedded structs have no name of their own', () => {
    const body = {
      spec: {
        selector: null,
        template: {
          spec: { containers: [{ name: 'a', livenessProbe: { exec: { command: ['x'] }, handler: {} } }] },
        },
      },
    };
    expect(decodeTyped(typeOf('Deployment'), body).unknownFields).toEqual([
      'spec.template.spec.containers[0].livenessProbe.handler',
    ]);
  });
});

it.each(['ConfigMap', 'Service', 'Event', 'Lease', 'Deployment', 'CustomResourceDefinition'])(
  '%s: decoding twice changes nothing more, and touches nothing',
  (kind) => {
    const type = typeOf(kind);
    fc.assert(
      fc.property(arbitraryMessage(type), (body) => {
        const { object } = decodeTyped(type, deepFreeze(body));
        expect(decodeTyped(type, object).object).toBe(object);
        if (deepEqual(object, body)) expect(object).toBe(body);
      }),
      { seed: 42, numRuns: 60 },
    );
  },
);
