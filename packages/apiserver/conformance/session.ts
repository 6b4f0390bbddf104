/** One run of cases against one target. */
import { abortable, type Clock, deadlineAbort, describeError, systemClock, systemRandom } from '@lifeline/core';
import { Api } from './api.ts';
import { installDefinitions, removeDefinitions } from './install.ts';
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
    try {
      await test.cleanUp();
    } catch (error) {
      test.failures.push(`cleaning up: ${describeError(error)}`);
    }
    const { failures, checks } = test;
    return failures.length === 0 ? { name, outcome: 'passed', checks } : { name, outcome: 'failed', checks, failures };
  }

  /** Removes the run's custom resources. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#installed) await removeDefinitions(this.#api, this.#group);
  }

  #install(): Promise<void> {
    this.#installed ??= installDefinitions(this.#api, this.#group);
    return this.#installed;
  }
}
