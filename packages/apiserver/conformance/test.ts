/** What a case has at hand: requests and names of its own, beside its checks. */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@lifeline/core';
import type { Answer } from './answer.ts';
import type { Api, EncodedAnswer, RequestOptions } from './api.ts';
import { Checks } from './checks.ts';
import { kinds } from './fixtures.ts';
import { definitionsPath, untilServed } from './install.ts';
import type { Capabilities } from './target.ts';
import { letIn, type Watch } from './watch.ts';

export interface TestOptions {
  readonly api: Api;
  /** Over a transport that leaves content encodings in place. */
  readonly encoded?: Api | undefined;
  /** A DNS label that no other case of any run has. */
  readonly id: string;
  /** The group of this run's custom resources. */
  readonly group: string;
  readonly can: Capabilities;
}

/** What a merge patch, or any other body of a write, is made of. */
export type Body = JsonValue;

export class Test extends Checks {
  readonly id: string;
  readonly group: string;
  readonly can: Capabilities;
  readonly #api: Api;
  readonly #encoded: Api | undefined;
  /** Paths of what was created, in order. */
  readonly #created = new Set<string>();
  #names = 0;
  #namespace: Promise<string> | undefined;

  constructor({ api, encoded, id, group, can }: TestOptions) {
    super();
    this.#api = api;
    this.#encoded = encoded;
    this.id = id;
    this.group = group;
    this.can = can;
  }

  /** A name that nothing else has, for objects without a namespace. */
  unique(): string {
    return `${this.id}-${++this.#names}`;
  }

  /** The namespace of this case. */
  namespace(): Promise<string> {
    this.#namespace ??= this.newNamespace();
    return this.#namespace;
  }

  async newNamespace(): Promise<string> {
    const name = this.unique();
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    this.ok(await this.create('/api/v1/namespaces', body), 201);
    return name;
  }

  /** Where resources of the core group are, in the namespace of this case. */
  async core(plural: string): Promise<string> {
    return `/api/v1/namespaces/${await this.namespace()}/${plural}`;
  }

  /** Where those of another built-in group are: `named('discovery.k8s.io/v1', 'endpointslices')`. */
  async named(groupVersion: string, plural: string): Promise<string> {
    return `/apis/${groupVersion}/namespaces/${await this.namespace()}/${plural}`;
  }

  configMaps(): Promise<string> {
    return this.core('configmaps');
  }

  /** Custom resources with a status subresource and a rich schema. */
  async widgets(version = 'v1'): Promise<string> {
    return `/apis/${this.group}/${version}/namespaces/${await this.namespace()}/${kinds.widget.plural}`;
  }

  /** Custom resources without a status subresource. */
  async gadgets(): Promise<string> {
    return `/apis/${this.group}/v1/namespaces/${await this.namespace()}/${kinds.gadget.plural}`;
  }

  /** Custom resources of the cluster. */
  realms(): string {
    return `/apis/${this.group}/v1/${kinds.realm.plural}`;
  }

  /** ConfigMaps with labels that say their name, and whether they stand at an even place. */
  async someConfigMaps(names: readonly string[]): Promise<string> {
    const maps = await this.configMaps();
    for (const [index, name] of names.entries()) {
      const labels = { name, even: String(index % 2 === 0) };
      this.ok(await this.create(maps, this.configMap(name, { metadata: { labels } })), 201);
    }
    return maps;
  }

  configMap(name: string, members: JsonObject = {}): JsonObject {
    return { apiVersion: 'v1', kind: 'ConfigMap', ...withName(name, members) };
  }

  /** Headless, with one port. */
  service(name: string, members: JsonObject = {}): JsonObject {
    const spec = { clusterIP: 'None', ports: [{ port: 80 }] };
    return { apiVersion: 'v1', kind: 'Service', ...withName(name, { spec, ...members }) };
  }

  widget(name: string, members: JsonObject = {}): JsonObject {
    return { apiVersion: `${this.group}/v1`, kind: kinds.widget.kind, ...withName(name, members) };
  }

  gadget(name: string, members: JsonObject = {}): JsonObject {
    return { apiVersion: `${this.group}/v1`, kind: kinds.gadget.kind, ...withName(name, members) };
  }

  realm(name: string, members: JsonObject = {}): JsonObject {
    return { apiVersion: `${this.group}/v1`, kind: kinds.realm.kind, ...withName(name, members) };
  }

  /** Makes a CustomResourceDefinition and returns once its resources are served. */
  async install(body: JsonObject): Promise<void> {
    this.ok(await this.create(definitionsPath, body), 201);
    await untilServed(this.#api, body);
  }

  async request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const answer = await this.#api.request(method, path, options);
    if (answer.status === 201 && options.query?.['dryRun'] === undefined) this.#remember(method, path, answer);
    return answer;
  }

  /** Asks for gzip, and shows the body as it came. Needs `encoding`. */
  requestEncoded(path: string): Promise<EncodedAnswer> {
    if (!this.#encoded) throw new Error('no transport that shows encodings');
    return this.#encoded.requestBytes('GET', path, { headers: { 'accept-encoding': 'gzip' } });
  }

  get(path: string, options?: RequestOptions): Promise<Answer> {
    return this.request('GET', path, options);
  }

  create(path: string, body: Body, options?: RequestOptions): Promise<Answer> {
    return this.request('POST', path, { body, ...options });
  }

  update(path: string, body: Body, options?: RequestOptions): Promise<Answer> {
    return this.request('PUT', path, { body, ...options });
  }

  delete(path: string, options?: RequestOptions): Promise<Answer> {
    return this.request('DELETE', path, options);
  }

  merge(path: string, body: Body, options?: RequestOptions): Promise<Answer> {
    return this.request('PATCH', path, { body, type: 'application/merge-patch+json', ...options });
  }

  jsonPatch(path: string, body: Body, options?: RequestOptions): Promise<Answer> {
    return this.request('PATCH', path, { body, type: 'application/json-patch+json', ...options });
  }

  strategic(path: string, body: Body, options?: RequestOptions): Promise<Answer> {
    return this.request('PATCH', path, { body, type: 'application/strategic-merge-patch+json', ...options });
  }

  /** Server-side apply. `force`: take over what others own. */
  apply(path: string, body: Body, { manager, force }: { manager: string; force?: boolean }): Promise<Answer> {
    return this.request('PATCH', path, {
      body,
      type: 'application/apply-patch+yaml',
      query: { fieldManager: manager, force },
    });
  }

  /** @throws Error where the server does not let the watch in */
  async watch(path: string, options?: RequestOptions): Promise<Watch> {
    return letIn(await this.#api.watch(path, options));
  }

  /** Repeats a request until its answer is as wanted. Each answer must bring news: for what no watch tells. */
  async eventually(path: string, wanted: (answer: Answer) => boolean, options?: RequestOptions): Promise<Answer> {
    for (let tries = 0; tries < 2000; tries++) {
      const answer = await this.get(path, options);
      if (wanted(answer)) return answer;
    }
    throw new Error(`GET ${path}: not as wanted after 2000 requests`);
  }

  /** Removes what the case made. Failures to do so fail nothing. */
  async cleanUp(): Promise<void> {
    for (const path of [...this.#created].reverse()) {
      const answer = await this.#api.request('DELETE', path, { query: { propagationPolicy: 'Background' } });
      const finalizers = answer.at('metadata', 'finalizers');
      if (answer.status < 300 && isJsonArray(finalizers) && finalizers.length > 0) {
        const body = { metadata: { finalizers: null } };
        await this.#api.request('PATCH', path, { body, type: 'application/merge-patch+json' });
      }
    }
  }

  #remember(method: string, path: string, answer: Answer): void {
    const name = answer.at('metadata', 'name');
    if (typeof name !== 'string') return;
    const [plain = ''] = path.split('?');
    this.#created.add(method === 'POST' ? `${plain}/${name}` : plain);
  }
}

function withName(name: string, members: JsonObject): JsonObject {
  const { metadata } = members;
  return { ...members, metadata: { name, ...(isJsonObject(metadata) ? metadata : {}) } };
}
