/** What a case checks: what does not hold is noted, and the case goes on. */
import { isJsonArray, type JsonValue } from '@lifeline/core';
import { type Answer, required } from './answer.ts';
import { absent, describePattern, mismatches, type Pattern, present } from './pattern.ts';

/** What a refusal must say. What is not named is not looked at. */
export interface Refusal {
  readonly code: number;
  readonly reason?: string | undefined;
  readonly message?: string | RegExp | undefined;
  readonly details?: Pattern;
  /** Of `details`: these and no others, in any order. */
  readonly causes?: readonly Pattern[] | undefined;
}

export class Checks {
  readonly failures: string[] = [];
  checks = 0;

  /** Without it what follows would make no sense. @throws Error where the status is another */
  ok(answer: Answer, status = 200): Answer {
    this.checks++;
    return required(answer, status);
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

  #note(what: string, faults: readonly string[]): void {
    this.checks++;
    this.failures.push(...faults.map((fault) => `${what}: ${fault}`));
  }
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
