/** Requests that were recorded with their answers, sent to a server of ours. */
import { readFileSync } from 'node:fs';
import { type JsonObject, stringifyJson } from '@lifeline/core';
import { seeded, VirtualClock } from '@lifeline/core/testing';
import { createApiServer } from '../create-api-server.ts';
import { type Answer, send } from '../send.fixture.ts';
import type { ApiServer } from '../server.ts';

/** One request, and what a real server answered. */
export interface Step {
  readonly op: 'create' | 'update' | 'apply' | 'merge' | 'json' | 'strategic';
  readonly manager: string;
  readonly body?: JsonObject | readonly JsonObject[];
  /** A body that is sent as it is. */
  readonly raw?: JsonObject;
  readonly force?: boolean;
  readonly subresource?: string;
  /** Default: v1. */
  readonly version?: string;
  /** Times stand as numbers, in the order in which they were met. What the server makes up is left out. */
  readonly object?: JsonObject;
  /** Whether the resourceVersion changed. */
  readonly written?: boolean;
  readonly refused?: { readonly code: number; readonly message: string; readonly causes?: readonly JsonObject[] };
}

/** Requests about one object, a second apart. */
export interface Scenario {
  readonly name: string;
  readonly kind: string;
  readonly steps: readonly Step[];
}

export interface Recording {
  readonly definitions: readonly JsonObject[];
  readonly scenarios: readonly Scenario[];
}

export const readRecording = (file: URL): Recording => JSON.parse(readFileSync(file, 'utf8')) as Recording;

export interface Outcome {
  readonly object?: JsonObject | undefined;
  readonly written?: boolean | undefined;
  readonly refused?: Step['refused'] | undefined;
}

/** A step that was played: what was recorded, and what we make of it. Comparable: what comes in no order is sorted. */
export interface Played {
  readonly step: Step;
  readonly recorded: unknown;
  readonly ours: unknown;
}

/** Plays a scenario on a new server. */
export async function playScenario({ definitions }: Recording, { kind, steps }: Scenario): Promise<readonly Played[]> {
  const clock = new VirtualClock();
  using server = createApiServer({ clock, random: seeded('observed'), controllers: false });
  await post(server, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns' } });
  for (const definition of definitions) {
    await post(server, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  }
  await clock.advance(60_000);

  const player = new Player(server, kind);
  const played: Played[] = [];
  for (const step of steps) {
    const { object, written, refused } = JSON.parse(placed(step)) as Step;
    played.push({
      step,
      recorded: comparable({ object, written, refused }),
      ours: comparable(await player.play(step)),
    });
    await clock.advance(1_000);
  }
  return played;
}

const paths: Readonly<Record<string, readonly [apiVersion: string, plural: string]>> = {
  Widget: ['apply.example.com/v1', 'widgets'],
  Gadget: ['apply.example.com/v1', 'gadgets'],
  ConfigMap: ['v1', 'configmaps'],
  Secret: ['v1', 'secrets'],
  Service: ['v1', 'services'],
  Deployment: ['apps/v1', 'deployments'],
  Lease: ['coordination.k8s.io/v1', 'leases'],
  Role: ['rbac.authorization.k8s.io/v1', 'roles'],
  RoleBinding: ['rbac.authorization.k8s.io/v1', 'rolebindings'],
  EndpointSlice: ['discovery.k8s.io/v1', 'endpointslices'],
};

const patchTypes = {
  apply: 'application/apply-patch+yaml',
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

const [namespace, name] = ['$NS', '$NAME'];

/** Plays one scenario. */
class Player {
  readonly #server: ApiServer;
  readonly #apiVersion: string;
  readonly #kind: string;
  readonly #plural: string;
  readonly #times: string[] = [];
  #resourceVersion: string | undefined;

  constructor(server: ApiServer, kind: string) {
    this.#server = server;
    this.#kind = kind;
    [this.#apiVersion, this.#plural] = paths[kind] as readonly [string, string];
  }

  async play(step: Step): Promise<Outcome> {
    const { status, body } = await this.#send(step);
    if (status >= 300) {
      const { code, message, details } = body as { code: number; message: string; details?: JsonObject };
      const causes = details?.['causes'] as readonly JsonObject[] | undefined;
      return { refused: { code, message, ...(causes ? { causes } : {}) } };
    }
    const { metadata, ...rest } = body as { metadata: JsonObject };
    const { name: _, uid, creationTimestamp, resourceVersion, generation, namespace, ...kept } = metadata;
    const written = this.#resourceVersion !== resourceVersion;
    this.#resourceVersion = resourceVersion as string;
    return { object: { ...withoutAddress(rest), metadata: this.#withPlainTimes(kept) }, written };
  }

  #send(step: Step): Promise<Answer> {
    const { op, manager, force, subresource, version } = step;
    const apiVersion = version ? this.#apiVersion.replace(/v1$/, version) : this.#apiVersion;
    const root = apiVersion.includes('/') ? 'apis' : 'api';
    const collection = `/${root}/${apiVersion}/namespaces/ns/${this.#plural}`;
    const path = op === 'create' ? collection : `${collection}/thing${subresource ? `/${subresource}` : ''}`;
    const query = new URLSearchParams({ fieldManager: manager, ...(force ? { force: 'true' } : {}) });
    const method = op === 'create' ? 'POST' : op === 'update' ? 'PUT' : 'PATCH';
    const type = op === 'create' || op === 'update' ? 'application/json' : patchTypes[op];
    const target = `${path}?${query.toString()}`;
    return send(this.#server.transport, target, { method, type, body: placed(this.#bodyOf(step, apiVersion)) });
  }

  #bodyOf({ op, body, raw }: Step, apiVersion: string): unknown {
    if (raw) return raw;
    if (op === 'merge' || op === 'json' || op === 'strategic') return body;
    const { metadata = {}, ...rest } = body as { metadata?: JsonObject };
    const resourceVersion = op === 'update' ? this.#resourceVersion : undefined;
    return { apiVersion, kind: this.#kind, metadata: { name, resourceVersion, ...metadata }, ...rest };
  }

  #withPlainTimes(metadata: JsonObject): JsonObject {
    const entries = metadata['managedFields'] as readonly JsonObject[] | undefined;
    if (!entries) return metadata;
    const managedFields = entries.map(({ time, ...entry }) => {
      if (typeof time !== 'string') return entry;
      if (!this.#times.includes(time)) this.#times.push(time);
      return { ...entry, time: this.#times.indexOf(time) };
    });
    return { ...metadata, managedFields };
  }
}

/** Of a Service, addresses and node ports are drawn. */
function withoutAddress(object: JsonObject): JsonObject {
  const { clusterIP, clusterIPs: _, ports, ...spec } = (object['spec'] ?? {}) as JsonObject;
  if (clusterIP === undefined) return object;
  const named = (ports as readonly JsonObject[]).map(({ nodePort: _port, ...port }) => port);
  return { ...object, spec: { ...spec, ports: named } };
}

/** The recording does not depend on the names of the run that made it. */
const placed = (body: unknown): string => stringifyJson(body).replaceAll(namespace, 'ns').replaceAll(name, 'thing');

/** Members come in no order from a real server, and so do its complaints about them. */
function comparable({ refused, ...answer }: Outcome): unknown {
  if (!refused) return answer;
  const { code, message, causes = [] } = refused;
  return {
    code,
    message: message
      .replace(/[[\]]/g, '')
      .split(/\n|, |: /)
      .sort(),
    causes: [...causes].sort((a, b) => (stringifyJson(a) < stringifyJson(b) ? -1 : 1)),
  };
}

async function post(server: ApiServer, path: string, body: JsonObject): Promise<void> {
  const { status, text } = await send(server.transport, path, { method: 'POST', body });
  if (status !== 201) throw new Error(text);
}
