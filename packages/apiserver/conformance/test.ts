/** What a case has at hand: requests, names of its own, and checks. */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@lifeline/core';
import { Answer } from './answer.ts';
import type { Api, EncodedAnswer, RequestOptions } from './api.ts';
import { kinds } from './fixtures.ts';
import { definitionsPath, untilServed } from './install.ts';
import { absent, describePattern, mismatches, type Pattern, present } from './pattern.ts';
import type { Capabilities } from './target.ts';
import type { Watch } from './watch.ts';

/** What a refusal must say. What is not named is not looked at. */
export interface Refusal {
  readonly code: number;
  readonly reason?: string | undefined;
  readonly message?: string | RegExp | undefined;
  readonly details?: Pattern;
  /** Of `details`: these and no others, in any order. */
  readonly causes?: readonly Pattern[] | undefined;
}

/** Ends a case: what follows would make no sense. */
class RequirementError extends Error {}

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

export class Test {
  readonly id: string;
  readonly group: string;
  readonly can: Capabilities;
  readonly failures: string[] = [];
  checks = 0;
  readonly #api: Api;
  readonly #encoded: Api | undefined;
  /** Paths of what was created, in order. */
  readonly #created = new Set<string>();
  #names = 0;
  #namespace: Promise<string> | undefined;

  constructor({ api, encoded, id, group, can }: TestOptions) {
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
    if (!this.#encoded) throw new RequirementError('no transport that shows encodings');
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

  /** @throws RequirementError where the server does not let the watch in */
  async watch(path: string, options?: RequestOptions): Promise<Watch> {
    const watch = await this.#api.watch(path, options);
    if (watch instanceof Answer) throw new RequirementError(`${watch.to}: ${watch.status} ${watch.text.slice(0, 300)}`);
    return watch;
  }

  /** Repeats a request until its answer is as wanted. Each answer must bring news: for what no watch tells. */
  async eventually(path: string, wanted: (answer: Answer) => boolean, options?: RequestOptions): Promise<Answer> {
    for (let tries = 0; tries < 2000; tries++) {
      const answer = await this.get(path, options);
      if (wanted(answer)) return answer;
    }
    throw new RequirementError(`GET ${path}: not as wanted after 2000 requests`);
  }

  /** @throws RequirementError where the status is another */
  ok(answer: Answer, status = 200): Answer {
    this.checks++;
    if (answer.status === status) return answer;
    throw new RequirementError(`${answer.to}: expected ${status}, got ${answer.status} ${answer.text.slice(0, 400)}`);
  }

  matches(answer: Answer, pattern: Pattern): void {
    this.#note(answer.to, mismatches(answer.body, pattern));
  }

  equal(actual: JsonValue | undefined, expected: Pattern, what: string): void {
    this.#note(what, mismatches(actual, expected));
  }

  is(actual: boolean, what: string): void {
    this.#note(what, actual ? [] : ['does not hold']);
  }

  /** The body has this member, byte for byte: for numbers as they are written. */
  says(answer: Answer, member: string): void {
    const end = [',', '}', ']'].some((after) => answer.text.includes(member + after));
    this.#note(answer.to, end ? [] : [`expected ${member} in ${answer.text.slice(0, 600)}`]);
  }

  refused(answer: Answer, { code, reason, message, details, causes }: Refusal): void {
    const status = mismatches(answer.status, code, 'HTTP status');
    const body = mismatches(answer.body, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: present,
      status: 'Failure',
      code,
      message: message ?? present,
      ...(reason === undefined ? {} : { reason: reason === '' ? absent : reason }),
      ...(details === undefined ? {} : { details }),
    });
    this.#note(answer.to, [...status, ...body, ...(causes === undefined ? [] : causesFaults(answer, causes))]);
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

  #note(what: string, faults: readonly string[]): void {
    this.checks++;
    this.failures.push(...faults.map((fault) => `${what}: ${fault}`));
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

function causesFaults(answer: Answer, causes: readonly Pattern[]): string[] {
  const actual = answer.at('details', 'causes');
  const list = isJsonArray(actual) ? actual : [];
  const faults = causes
    .filter((cause) => list.every((item) => mismatches(item, cause).length > 0))
    .map((cause) => `no cause ${describePattern(cause)} in ${JSON.stringify(list)}`);
  if (list.length !== causes.length)
    faults.push(`${list.length} causes instead of ${causes.length}: ${JSON.stringify(list)}`);
  return faults;
}
