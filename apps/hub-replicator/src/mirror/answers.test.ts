import { type JsonObject, monotonicMs } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { Answers } from './answers.ts';

const at = monotonicMs(0);
const plain: JsonObject = { spec: { a: 1 } };
const defaulted: JsonObject = { spec: { a: 1, defaulted: true } };

describe('Answers', () => {
  it('knows a copy as long as it stands as it was answered to what is wanted still', () => {
    const answers = new Answers();
    const known = (uid: string, wanted: JsonObject, answered: JsonObject): boolean =>
      answers.isKnown({ uid, wanted, answered }, at);
    answers.remember({ uid: 'c', wanted: plain, answered: defaulted });
    expect(known('c', plain, { spec: { defaulted: true, a: 1 } })).toBe(true);
    expect(known('c', { spec: { a: 2 } }, defaulted)).toBe(false);
    expect(known('c', plain, { spec: { a: 1, defaulted: false } })).toBe(false);
    expect(known('d', plain, defaulted)).toBe(false);
    answers.forget('c');
    expect(known('c', plain, defaulted)).toBe(false);
  });

  it('believes an answer until its time', () => {
    const answers = new Answers();
    const answer = { uid: 'c', wanted: plain, answered: { spec: {} } };
    answers.remember({ ...answer, until: 10 });
    expect([9, 10].map((now) => answers.isKnown(answer, monotonicMs(now)))).toEqual([true, false]);
  });

  it('forgets the oldest first', () => {
    const answers = new Answers(2);
    const of = (uid: string) => ({ uid, wanted: {}, answered: { spec: 1 } });
    for (const uid of ['a', 'b', 'a', 'c']) answers.remember(of(uid));
    expect(['a', 'b', 'c'].map((uid) => answers.isKnown(of(uid), at))).toEqual([true, false, true]);
  });
});
