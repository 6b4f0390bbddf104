/** The custom resources of a run: one with everything, one without a status subresource, one of the cluster. */
import type { JsonObject } from '@lifeline/core';

interface FixtureKind {
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
}

export const kinds = {
  widget: { kind: 'Widget', plural: 'widgets', singular: 'widget' },
  gadget: { kind: 'Gadget', plural: 'gadgets', singular: 'gadget' },
  realm: { kind: 'Realm', plural: 'realms', singular: 'realm' },
} satisfies Record<string, FixtureKind>;

export interface DefinitionOptions {
  readonly scope?: 'Namespaced' | 'Cluster';
  readonly names?: JsonObject;
  readonly subresources?: JsonObject;
  /** Beside `type: object`: `properties` of the root and so on. */
  readonly schema?: JsonObject;
  readonly version?: JsonObject;
  /** Served besides v1, with the same schema. */
  readonly alsoServed?: readonly string[];
}

/** A CustomResourceDefinition with one stored version, v1. */
export function definition(
  group: string,
  { kind, plural, singular }: FixtureKind,
  options: DefinitionOptions = {},
): JsonObject {
  const version = (name: string): JsonObject => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object', ...options.schema } },
    ...(options.subresources ? { subresources: options.subresources } : {}),
    ...options.version,
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: options.scope ?? 'Namespaced',
      names: { kind, plural, singular, listKind: `${kind}List`, ...options.names },
      versions: ['v1', ...(options.alsoServed ?? [])].map(version),
    },
  };
}

const string = { type: 'string' };
const integer = { type: 'integer' };

const widgetSpec: JsonObject = {
  type: 'object',
  properties: {
    size: { type: 'integer', format: 'int32', minimum: 0, maximum: 100 },
    count: { type: 'integer', format: 'int64' },
    whole: integer,
    ratio: { type: 'number' },
    flag: { type: 'boolean' },
    mode: { type: 'string', enum: ['fast', 'slow'], default: 'fast' },
    code: { type: 'string', minLength: 2, maxLength: 5, pattern: '^[a-z]+$' },
    when: { type: 'string', format: 'date-time' },
    either: { 'x-kubernetes-int-or-string': true },
    optional: { type: 'string', nullable: true },
    tags: { type: 'array', items: string, 'x-kubernetes-list-type': 'set' },
    words: { type: 'array', items: string, maxItems: 3 },
    ports: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
      items: {
        type: 'object',
        required: ['port'],
        properties: { port: integer, protocol: { type: 'string', default: 'TCP' }, label: string },
      },
    },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    labels: { type: 'object', additionalProperties: string },
    whole_map: { type: 'object', additionalProperties: string, 'x-kubernetes-map-type': 'atomic' },
    nested: {
      type: 'object',
      required: ['a'],
      properties: {
        a: string,
        b: integer,
        c: { type: 'object', default: {}, properties: { d: { type: 'string', default: 'deep' } } },
      },
    },
    replicas: { type: 'integer', format: 'int32', minimum: 0 },
  },
};

const widgetStatus: JsonObject = {
  type: 'object',
  properties: {
    phase: string,
    observedGeneration: { type: 'integer', format: 'int64' },
    replicas: { type: 'integer', format: 'int32' },
    selector: string,
    conditions: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: {
        type: 'object',
        required: ['type', 'status'],
        properties: { type: string, status: string, reason: string },
      },
    },
  },
};

/** The definitions of a run, by its group. */
export const definitions = (group: string): readonly JsonObject[] => [
  definition(group, kinds.widget, {
    names: { shortNames: ['wdg'], categories: ['conformance'] },
    alsoServed: ['v1beta1'],
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    },
    schema: { properties: { spec: widgetSpec, status: widgetStatus } },
    version: {
      selectableFields: [{ jsonPath: '.spec.mode' }, { jsonPath: '.spec.size' }],
      additionalPrinterColumns: [
        { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
        { name: 'Mode', type: 'string', jsonPath: '.spec.mode', description: 'How it runs.' },
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'Code', type: 'string', jsonPath: '.spec.code', priority: 1 },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  }),
  definition(group, kinds.gadget, {
    schema: {
      properties: {
        spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  }),
  definition(group, kinds.realm, {
    scope: 'Cluster',
    schema: { properties: { spec: { type: 'object', properties: { motto: string } } } },
  }),
];
