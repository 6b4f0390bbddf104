/** Sends a run of requests to one server and notes what it says. */
import { applyMergePatch, isJsonObject, type JsonObject, type JsonValue } from '@lifeline/core';
import { type Answer, required } from '../answer.ts';
import type { Api } from '../api.ts';
import { letIn, type Watch } from '../watch.ts';
import { normalise, type Observation } from './normalise.ts';
import { describeOperation, type ModelResource, type Operation } from './operation.ts';

export interface ModelPlane {
  readonly api: Api;
  /** Of the custom resources. */
  readonly group: string;
  /** Exists and is empty, as it will be afterwards. */
  readonly namespace: string;
}

const kindOf = {
  configmaps: 'ConfigMap',
  services: 'Service',
  leases: 'Lease',
  deployments: 'Deployment',
  widgets: 'Widget',
  gadgets: 'Gadget',
} as const;
const allResources = Object.keys(kindOf) as readonly ModelResource[];

/** What an object needs to be one, and what keeps servers from making something up. */
const least: Partial<Record<ModelResource, JsonObject>> = {
  services: { spec: { clusterIP: 'None', ports: [{ port: 1 }] } },
  deployments: {
    spec: {
      selector: { matchLabels: { app: 'a' } },
      template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'x' }] } },
    },
  },
};
const patchTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

/** Normalised: first an observation for each operation, then the events of a watch of each resource over the whole run. */
export async function performOperations(
  plane: ModelPlane,
  operations: readonly Operation[],
): Promise<readonly Observation[]> {
  const run = new Run(plane);
  const touched = allResources.filter((resource) => operations.some((operation) => operation.resource === resource));
  const watches = new Map<ModelResource, Watch>();
  try {
    for (const resource of touched) watches.set(resource, await run.watch(resource));
    const observations: Observation[] = [];
    for (const operation of operations) observations.push(await run.perform(operation));
    for (const [resource, watch] of watches) observations.push(...(await run.events(resource, watch)));
    return normalise(
      observations,
      new Map([
        [plane.namespace, 'NAMESPACE'],
        [plane.group, 'GROUP'],
      ]),
    );
  } finally {
    for (const watch of watches.values()) watch[Symbol.dispose]();
    for (const resource of touched) await run.empty(resource);
  }
}

class Run {
  readonly #plane: ModelPlane;
  /** What was last said of each object, newest first. */
  readonly #seen = new Map<string, JsonObject[]>();

  constructor(plane: ModelPlane) {
    this.#plane = plane;
  }

  async watch(resource: ModelResource): Promise<Watch> {
    const { resourceVersion } = await this.#plane.api.request('GET', this.#path(resource));
    return letIn(await this.#plane.api.watch(this.#path(resource), { query: { resourceVersion } }));
  }

  async perform(operation: Operation): Promise<Observation> {
    const answer = await this.#send(operation);
    if (answer.status < 300 && 'name' in operation) this.#note(operation, answer);
    return {
      what: describeOperation(operation),
      status: answer.status,
      warnings: answer.headers['warning'],
      body: answer.body,
    };
  }

  /** All events so far: an object made now marks the end. */
  async events(resource: ModelResource, watch: Watch): Promise<Observation[]> {
    const last = 'zzz-the-end';
    const body = this.#object(resource, last, least[resource] ?? {});
    required(await this.#plane.api.request('POST', this.#path(resource), { body }), 201);
    const events: Observation[] = [];
    await watch.until(({ type, object }) => {
      if (isJsonObject(object['metadata']) && object['metadata']['name'] === last) return true;
      if (type !== 'BOOKMARK')
        events.push({ what: `event of ${resource}: ${type}`, status: 200, warnings: undefined, body: object });
      return false;
    });
    return events;
  }

  async empty(resource: ModelResource): Promise<void> {
    const { api } = this.#plane;
    const { names } = await api.request('GET', this.#path(resource));
    for (const name of names) {
      const path = `${this.#path(resource)}/${name}`;
      await api.request('PATCH', path, { body: { metadata: { finalizers: null } }, type: patchTypes.merge });
      await api.request('DELETE', path);
    }
  }

  #send(operation: Operation): Promise<Answer> {
    const { api } = this.#plane;
    const path = this.#path(operation.resource);
    switch (operation.verb) {
      case 'create': {
        const { resource, name, members } = operation;
        return api.request('POST', path, { body: this.#object(resource, name, members), query: queryOf(operation) });
      }
      case 'update': {
        const body = this.#updated(operation);
        return api.request('PUT', this.#pathOfOne(operation), { body, query: queryOf(operation) });
      }
      case 'patch': {
        const { type, patch } = operation;
        return api.request('PATCH', this.#pathOfOne(operation), {
          body: patch,
          type: patchTypes[type],
          query: queryOf(operation),
        });
      }
      case 'apply': {
        const { resource, name, members, force } = operation;
        const query = { ...queryOf(operation), force };
        const body = this.#object(resource, name, members);
        return api.request('PATCH', this.#pathOfOne(operation), { body, type: 'application/apply-patch+yaml', query });
      }
      case 'delete':
        return api.request('DELETE', this.#pathOfOne(operation), { body: this.#deleteOptions(operation) });
      case 'get':
        return api.request('GET', this.#pathOfOne(operation));
      case 'list': {
        const { labelSelector, limit } = operation;
        return api.request('GET', path, { query: { labelSelector, limit } });
      }
      case 'deletecollection':
        return api.request('DELETE', path, { query: { labelSelector: operation.labelSelector } });
    }
  }

  #path(resource: ModelResource): string {
    const apiVersion = this.#apiVersion(resource);
    const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
    return `${root}/namespaces/${this.#plane.namespace}/${resource}`;
  }

  #apiVersion(resource: ModelResource): string {
    switch (resource) {
      case 'configmaps':
      case 'services':
        return 'v1';
      case 'leases':
        return 'coordination.k8s.io/v1';
      case 'deployments':
        return 'apps/v1';
      case 'widgets':
      case 'gadgets':
        return `${this.#plane.group}/v1`;
    }
  }

  #pathOfOne(operation: Operation & { readonly name: string }): string {
    const subresource = 'subresource' in operation && operation.subresource ? `/${operation.subresource}` : '';
    return `${this.#path(operation.resource)}/${operation.name}${subresource}`;
  }

  #object(resource: ModelResource, name: string, members: JsonObject): JsonObject {
    const apiVersion = this.#apiVersion(resource);
    const metadata = isJsonObject(members['metadata']) ? members['metadata'] : {};
    return { apiVersion, kind: kindOf[resource], ...members, metadata: { name, ...metadata } };
  }

  #updated({ resource, name, stale, change, keepResourceVersion }: Operation & { verb: 'update' }): JsonValue {
    const seen = this.#seen.get(`${resource}/${name}`) ?? [];
    const base =
      seen[Math.min(stale, seen.length - 1)] ??
      this.#object(resource, name, resource === 'services' ? { spec: { clusterIP: 'None' } } : {});
    const body = applyMergePatch(base, change) as JsonObject;
    if (keepResourceVersion) return body;
    return applyMergePatch(body, { metadata: { resourceVersion: null } });
  }

  #deleteOptions({ resource, name, precondition, stale, dryRun }: Operation & { verb: 'delete' }): JsonObject {
    const seen = this.#seen.get(`${resource}/${name}`) ?? [];
    const metadata = seen[Math.min(stale, seen.length - 1)]?.['metadata'];
    const value = isJsonObject(metadata) && precondition !== 'none' ? metadata[precondition] : undefined;
    return {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      propagationPolicy: 'Background',
      ...(dryRun ? { dryRun: ['All'] } : {}),
      ...(value === undefined ? {} : { preconditions: { [precondition]: value } }),
    };
  }

  #note({ resource, name }: { readonly resource: ModelResource; readonly name: string }, { object }: Answer): void {
    // A dry run of a create has no resourceVersion and is no state to come back to.
    if (!isJsonObject(object['metadata']) || object['metadata']['resourceVersion'] === undefined) return;
    if (object['kind'] === 'Status') return;
    const key = `${resource}/${name}`;
    this.#seen.set(key, [object, ...(this.#seen.get(key) ?? [])].slice(0, 4));
  }
}

const queryOf = ({ manager, dryRun }: { readonly manager: string; readonly dryRun: boolean }) => ({
  fieldManager: manager,
  dryRun: dryRun ? 'All' : undefined,
});
