/** What a real server said, kept small: each body as its difference to an earlier one about the same object. */
import {
  applyMergePatch,
  canonicalJson,
  isJsonObject,
  type JsonValue,
  mergePatchDiff,
  MergePatchError,
} from '@lifeline/core';
import { valueAt } from '../answer.ts';
import type { Observation } from './normalise.ts';
import { describeOperation, type Operation } from './operation.ts';

export interface Recording {
  /** Which server: its `gitVersion`, or what is known instead. */
  readonly server: string;
  /** Most requests of a run. */
  readonly length: number;
  readonly runs: Readonly<Record<string, readonly Entry[]>>;
}

export interface Entry {
  /** Left out: 200. */
  readonly status?: number;
  /** The entry that {@link body} is a merge patch for. Left out: none, the body is whole. */
  readonly since?: number;
  /** Left out: nothing differs. */
  readonly body?: JsonValue;
  readonly warnings?: string;
  /** Of a watch event. */
  readonly event?: string;
}

const eventPrefix = 'event of ';

export function encodeRun(observations: readonly Observation[]): readonly Entry[] {
  const latest = new Map<string, number>();
  return observations.map(({ what, status, body, warnings }, index) => {
    const subject = subjectOf(body);
    const since = latest.get(subject);
    latest.set(subject, index);
    const kept = since === undefined ? { body } : keep(since, (observations[since] as Observation).body, body);
    return {
      ...(status === 200 ? {} : { status }),
      ...kept,
      ...(warnings === undefined ? {} : { warnings }),
      ...(what.startsWith(eventPrefix) ? { event: what } : {}),
    };
  });
}

export function decodeRun(entries: readonly Entry[], operations: readonly Operation[]): readonly Observation[] {
  const observations: Observation[] = [];
  for (const [index, { status = 200, since, body, warnings, event }] of entries.entries()) {
    const operation = operations[index];
    const what = event ?? (operation ? describeOperation(operation) : '');
    const before = since === undefined ? undefined : observations[since];
    const whole = before ? (body === undefined ? before.body : applyMergePatch(before.body, body)) : (body ?? null);
    observations.push({ what, status, warnings, body: whole });
  }
  return observations;
}

/** Events and answers about one object are alike, whatever they came from. */
function subjectOf(body: JsonValue): string {
  const kind = canonicalJson(valueAt(body, ['kind']) ?? null);
  const name = valueAt(body, ['metadata', 'name']) ?? valueAt(body, ['details', 'name']) ?? null;
  return `${kind} ${canonicalJson(name)}`;
}

function keep(since: number, before: JsonValue, body: JsonValue): Pick<Entry, 'since' | 'body'> {
  if (!isJsonObject(body)) return { body };
  try {
    const diff = mergePatchDiff(before, body);
    return { since, ...(diff === undefined ? {} : { body: diff }) };
  } catch (error) {
    if (error instanceof MergePatchError) return { body };
    throw error;
  }
}
