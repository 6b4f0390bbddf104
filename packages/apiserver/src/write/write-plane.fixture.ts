/** A plane with a custom resource of each sort, and short words to write to it. */
import type { JsonObject, JsonValue } from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { createApiServer } from '../create-api-server.ts';
import { type Answer as WholeAnswer, send } from '../send.fixture.ts';
import type { ApiServer, ApiServerOptions } from '../server.ts';

export interface Answer extends WholeAnswer {
  /** The `Warning` header. */
  readonly warning: string | undefined;
}

export interface AskOptions {
  /** Default `application/json`. */
  readonly type?: string | undefined;
  readonly query?: string | undefined;
}

export interface WritePlane extends Disposable {
  readonly api: ApiServer;
  readonly clock: VirtualClock;
  /** @param body an object is written as JSON, a text goes as it is */
  ask(method: string, path: string, body?: JsonValue, options?: AskOptions): Promise<Answer>;
  merge(path: string, patch: JsonValue, query?: string): Promise<Answer>;
  jsonPatch(path: string, patch: JsonValue, query?: string): Promise<Answer>;
  apply(path: string, configuration: JsonValue, query?: string): Promise<Answer>;
}

export const configMaps = '/api/v1/namespaces/default/configmaps';
export const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
export const widgets = '/apis/example.com/v1/namespaces/default/widgets';
/** Without a status subresource. */
export const gadgets = '/apis/example.com/v1/namespaces/default/gadgets';
/** Of the cluster. */
export const realms = '/apis/example.com/v1/realms';

const object =
  (apiVersion: string, kind: string) =>
  (name: string, fields: JsonObject = {}): JsonObject => {
    const { metadata, ...rest } = fields;
    return { apiVersion, kind, metadata: { name, ...(metadata as JsonObject | undefined) }, ...rest };
  };

export const configMap = object('v1', 'ConfigMap');
export const widget = object('example.com/v1', 'Widget');
export const gadget = object('example.com/v1', 'Gadget');
export const realm = object('example.com/v1', 'Realm');

const text: JsonObject = { type: 'string' };
const integer: JsonObject = { type: 'integer' };
const properties: JsonObject = {
  spec: {
    type: 'object',
    properties: {
      size: { type: 'integer', format: 'int32', maximum: 100 },
      count: { type: 'integer', format: 'int64' },
      mode: { type: 'string', default: 'fast' },
      words: { type: 'array', items: text },
      replicas: integer,
      free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  },
  status: { type: 'object', properties: { phase: text, replicas: integer, selector: text } },
};

function definition(kind: string, plural: string, { scope = 'Namespaced', ...version }: JsonObject): JsonObject {
  const versionOf = (name: string): JsonObject => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object', properties } },
    ...version,
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: { group: 'example.com', scope, names: { kind, plural }, versions: [versionOf('v1'), versionOf('v1beta1')] },
  };
}

const definitions = [
  definition('Widget', 'widgets', {
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    },
  }),
  definition('Gadget', 'gadgets', {}),
  definition('Realm', 'realms', { scope: 'Cluster' }),
];

/** @param controllers whether owners are collected and namespaces end. Default true */
export async function writePlane({
  seed = 'writes',
  ...options
}: Partial<ApiServerOptions> & { readonly seed?: string } = {}): Promise<WritePlane> {
  const clock = new VirtualClock();
  const api = createApiServer({ random: seeded(seed), ...options, clock });
  const ask: WritePlane['ask'] = async (...[method, path, body, { type, query = '' } = {}]) => {
    const headers = { 'user-agent': 'tester/1.0' };
    const answer = await send(api.transport, `${path}${query ? `?${query}` : ''}`, { method, headers, body, type });
    return { ...answer, warning: answer.headers['warning'] };
  };
  const patch = (type: string) => (path: string, body: JsonValue, query?: string) =>
    ask('PATCH', path, body, { type, query });
  for (const each of definitions) {
    await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', each);
  }
  await clock.advance(1000);
  return {
    api,
    clock,
    ask,
    merge: patch('application/merge-patch+json'),
    jsonPatch: patch('application/json-patch+json'),
    apply: (path, body, query = 'fieldManager=tester') =>
      ask('PATCH', path, body, { type: 'application/apply-patch+yaml', query }),
    [Symbol.dispose]: () => api[Symbol.dispose](),
  };
}

/** What a refusal says. */
export const messageOf = ({ body }: Answer): string | undefined => body['message'] as string | undefined;

export const metadataOf = ({ body }: Answer): JsonObject => (body['metadata'] ?? {}) as JsonObject;
