/** One run of cases against one target. */
import {
  type Clock,
  deadlineAbort,
  abortable,
  describeError,
  isJsonArray,
  type JsonObject,
  systemClock,
  systemRandom,
} from '@lifeline/core';
import { Api } from './api.ts';
import { type Answer, nameOf } from './answer.ts';
import { definitions } from './fixtures.ts';
import { missingNeeds, type Need, type Target } from './target.ts';
import type { TestCase } from './test-case.ts';
import { Test } from './test.ts';

export type Result =
  | { readonly name: string; readonly outcome: 'passed'; readonly checks: number }
  | { readonly name: string; readonly outcome: 'failed'; readonly checks: number; readonly failures: readonly string[] }
  | { readonly name: string; readonly outcome: 'skipped'; readonly missing: readonly Need[] };

/** Of one request or one awaited event. Generous: it is there for what hangs. */
const requestLimitMs = 60_000;
const caseLimitMs = 180_000;

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export class Session implements AsyncDisposable {
  readonly #target: Target;
  readonly #clock: Clock;
  readonly #api: Api;
  readonly #encoded: Api | undefined;
  /** A DNS label. */
  readonly #id: string;
  readonly #group: string;
  #cases = 0;
  #installed: Promise<void> | undefined;

  constructor(target: Target) {
    const { transport, baseUrl, credentials, clock = systemClock, random = systemRandom } = target;
    this.#target = target;
    this.#clock = clock;
    const shared = { baseUrl, credentials, clock, limitMs: requestLimitMs };
    this.#api = new Api({ ...shared, transport });
    this.#encoded = target.encoded && new Api({ ...shared, transport: target.encoded });
    this.#id = `c${random.hex(4)}`;
    this.#group = `${this.#id}.conformance.lifeline.dev`;
  }

  missing({ needs }: TestCase): readonly Need[] {
    return missingNeeds(this.#target, needs);
  }

  /** Runs a case. Cases may run at the same time. */
  async run({ name, needs, run }: TestCase): Promise<Result> {
    const missing = missingNeeds(this.#target, needs);
    if (missing.length > 0) return { name, outcome: 'skipped', missing };
    const id = `${this.#id}-${++this.#cases}`;
    await this.#install();
    const test = new Test({ api: this.#api, encoded: this.#encoded, id, group: this.#group, can: this.#target.can });
    try {
      using limit = deadlineAbort(this.#clock, caseLimitMs);
      await abortable(run(test), limit.signal);
    } catch (error) {
      test.failures.push(describeError(error));
    }
    await test.cleanUp();
    const { failures, checks } = test;
    return failures.length === 0 ? { name, outcome: 'passed', checks } : { name, outcome: 'failed', checks, failures };
  }

  /** Removes the run's custom resources. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#installed) return;
    for (const { metadata } of definitions(this.#group)) {
      await this.#api.request('DELETE', `${crds}/${(metadata as { name: string }).name}`);
    }
  }

  #install(): Promise<void> {
    this.#installed ??= this.#installAll();
    return this.#installed;
  }

  async #installAll(): Promise<void> {
    await Promise.all(definitions(this.#group).map((body) => installDefinition(this.#api, body)));
  }
}

/** Creates a CustomResourceDefinition and returns once its resources are served. @throws Error with what the server said */
export async function installDefinition(api: Pick<Api, 'request' | 'watch'>, body: JsonObject): Promise<void> {
  const created = await api.request('POST', crds, { body });
  if (created.status !== 201) throw new Error(`${created.to}: ${created.status} ${created.text}`);
  const name = nameOf(created.object);
  const watch = await api.watch(crds, { query: { fieldSelector: `metadata.name=${name}` } });
  if (!('until' in watch)) throw new Error(`${watch.to}: ${watch.status} ${watch.text}`);
  using events = watch;
  await events.until(({ object }) => isEstablished(object));
  // The condition comes a moment before the handlers.
  const spec = body['spec'] as { group: string; names: { plural: string }; versions: readonly { name: string }[] };
  for (const version of spec.versions) {
    const path = `/apis/${spec.group}/${version.name}/${spec.names.plural}`;
    let list: Answer;
    do list = await api.request('GET', path);
    while (list.status !== 200);
  }
}

function isEstablished(crd: JsonObject): boolean {
  const conditions = (crd['status'] as JsonObject | undefined)?.['conditions'];
  return (
    isJsonArray(conditions) &&
    conditions.some((condition) => {
      const { type, status } = condition as { type: string; status: string };
      return type === 'Established' && status === 'True';
    })
  );
}
