import { monotonicMs, type Outcome } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import type { ReportRow } from '../report/report.ts';
import { type Answered, Answers } from './answers.ts';

const row = (name: string, intent: string, outcome: Outcome = 'programmed'): ReportRow => ({
  namespace: 'ns',
  name,
  stamp: '',
  intent,
  outcome,
  reason: '',
});
/** `r1@2`: by replica r1 at 2. */
const answer = (by: string, rows: Readonly<Record<string, string>>, group?: string): Answered => ({
  replica: by.slice(0, by.indexOf('@')),
  at: monotonicMs(Number(by.slice(by.indexOf('@') + 1))),
  digestVersion: 1,
  group: group ?? Object.keys(rows).join(),
  rows: Object.entries(rows).map(([name, intent]) => row(name, intent)),
});

function answersOf(...all: readonly Answered[]): Answers {
  const answers = new Answers();
  for (const each of all) answers.answered(each);
  return answers;
}
const intents = (answers: Answers): Record<string, string> =>
  Object.fromEntries([...answers.keys()].sort().map((key) => [key.slice(3), answers.standing(key)?.row.intent ?? '?']));

describe('what an Envoy Gateway was answered last', () => {
  it.each<{ name: string; answers: readonly Answered[]; stands: Record<string, string> }>([
    { name: 'nothing', answers: [], stands: {} },
    {
      name: 'the newest of two replicas',
      answers: [answer('r1@1', { a: 'X' }), answer('r2@2', { a: 'Y' })],
      stands: { a: 'Y' },
    },
    {
      name: 'by age, not by arrival',
      answers: [answer('r2@2', { a: 'Y' }), answer('r1@1', { a: 'X' })],
      stands: { a: 'Y' },
    },
    {
      name: 'a replica that answers again what it answered before, without a row',
      answers: [answer('r1@1', { a: 'X' }), answer('r2@2', { a: 'Y' }), answer('r1@3', {}, 'a')],
      stands: { a: 'X' },
    },
    {
      name: 'rows that change, and those of the same set that do not',
      answers: [answer('r1@1', { a: 'X', b: 'X' }, 'ab'), answer('r1@2', { b: 'Y' }, 'ab')],
      stands: { a: 'X', b: 'Y' },
    },
    {
      name: 'a Gateway that a newer answer of its set does not name is not served',
      answers: [answer('r1@1', { a: 'X', b: 'X' }), answer('r2@2', { a: 'X' })],
      stands: { a: 'X' },
    },
    {
      name: 'and served again when it is named again',
      answers: [answer('r1@1', { a: 'X', b: 'X' }, 'ab'), answer('r2@2', { a: 'X' }), answer('r1@3', {}, 'ab')],
      stands: { a: 'X', b: 'X' },
    },
    {
      name: 'sets that have nothing in common stand side by side',
      answers: [answer('r1@1', { a: 'X' }), answer('r2@2', { b: 'Y' })],
      stands: { a: 'X', b: 'Y' },
    },
  ])('$name', ({ answers, stands }) => expect(intents(answersOf(...answers))).toEqual(stands));

  it('all Gateways of an answer may be different now, and those of the sets that it supersedes', () => {
    const answers = answersOf(answer('r1@1', { a: 'X', b: 'X' }));
    expect([...answers.answered(answer('r2@2', { a: 'X', c: 'X' }))].sort()).toEqual(['ns/a', 'ns/b', 'ns/c']);
  });

  it.each([
    { about: 'a', lost: ['ns/a'] },
    { about: '', lost: ['ns/a', 'ns/b'] },
  ])('a call about "$about" that is lost makes lost what was answered before it', ({ about, lost }) => {
    const answers = answersOf(answer('r1@1', { a: 'X' }), answer('r1@2', { b: 'X' }));
    expect([...answers.lost(about, monotonicMs(3))].sort()).toEqual(lost);
    expect([...answers.keys()].filter((key) => answers.standing(key)?.lost).sort()).toEqual(lost);
    answers.answered(answer('r1@4', {}, 'a'));
    expect(answers.standing('ns/a')?.lost).toBe(false);
    expect(answers.standing('ns/b')?.lost).toBe(about === '');
  });

  it('a loss that is told late does not make lost what was answered since', () => {
    const answers = answersOf(answer('r1@5', { a: 'X' }));
    answers.lost('a', monotonicMs(3));
    expect(answers.standing('ns/a')?.lost).toBe(false);
  });

  it('an answer whose age turns out to be higher may be older than a loss', () => {
    const answers = answersOf(answer('r1@15', { a: 'X' }));
    answers.lost('', monotonicMs(14));
    expect([...answers.answered(answer('r1@13', {}, 'a'))]).toEqual(['ns/a']);
    expect(answers.standing('ns/a')?.lost).toBe(true);
  });

  it('an older answer that a replica tells late is superseded by what it answers next', () => {
    const answers = answersOf(answer('r1@5', { a: 'X', b: 'X' }, 'ab'), answer('r1@3', { b: 'Y', c: 'Y' }, 'bc'));
    answers.answered(answer('r1@6', {}, 'ab'));
    answers.answered(answer('r2@2', { c: 'Z' }, 'c'));
    expect(intents(answers)).toEqual({ a: 'X', b: 'X', c: 'Z' });
  });

  it('what a replica answered that is gone stands until it is superseded, and is let go then', () => {
    const answers = answersOf(answer('r1@1', { a: 'X' }));
    answers.replicaGone('r1');
    expect(intents(answers)).toEqual({ a: 'X' });
    answers.answered(answer('r2@2', { a: 'Y' }));
    // Had its row been kept, this would be newer.
    answers.answered({ ...answer('r1@3', {}, 'a'), replica: 'r1' });
    expect(intents(answers)).toEqual({ a: 'Y' });
  });

  it('a replica that tells all again: what it does not tell any more is forgotten', () => {
    const answers = answersOf(answer('r1@1', { a: 'X' }), answer('r1@2', { b: 'X' }));
    answers.forget('r1');
    answers.answered(answer('r1@1', { a: 'X' }));
    expect(intents(answers)).toEqual({ a: 'X' });
  });
});
