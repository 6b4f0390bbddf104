import { type KubeObject, monotonicMs } from '@lifeline/core';
import type { SoundEvent } from '@lifeline/k8s';
import { describe, expect, it } from 'vitest';
import { Echoes } from './echoes.ts';

const copy = (resourceVersion: string, labels: Record<string, string> = {}, uid = 'copy-uid'): KubeObject => ({
  apiVersion: 'networking.datumapis.com/v1alpha1',
  kind: 'HTTPProxy',
  metadata: { namespace: 'ns-1', name: 'web', uid, resourceVersion, labels },
});
const updated = (old: KubeObject, object: KubeObject): SoundEvent<KubeObject> => ({ type: 'updated', old, object });

const at = monotonicMs;

/** The cache did not move while we wrote. */
const still = (held: KubeObject): { before: KubeObject; after: KubeObject } => ({ before: held, after: held });

describe('Echoes', () => {
  it('the version that a write was answered with is no news, once', () => {
    const echoes = new Echoes();
    echoes.expect(copy('8'), still(copy('7')), at(0));
    expect(echoes.isNews(updated(copy('7'), copy('8')))).toBe(false);
    expect(echoes.isNews(updated(copy('7'), copy('8')))).toBe(true);
    expect(echoes.size).toBe(0);
  });

  it('is what the copy is judged by, until the watch tells of anything', () => {
    const echoes = new Echoes();
    const [held, answer] = [copy('7'), copy('8')];
    expect(echoes.newest(held, at(1))).toBe(held);
    echoes.expect(answer, still(held), at(0));
    expect(echoes.newest(held, at(1))).toBe(answer);
    expect(echoes.newest(copy('7', {}, 'other'), at(1)).metadata.uid).toBe('other');
    echoes.isNews(updated(held, answer));
    expect(echoes.newest(held, at(1))).toBe(held);
  });

  it('what others write after it is news; what they wrote before it is, and lets the answer be news too', () => {
    const echoes = new Echoes();
    echoes.expect(copy('8'), still(copy('7')), at(0));
    expect(echoes.isNews(updated(copy('7'), copy('9')))).toBe(true);
    echoes.expect(copy('8'), still(copy('6')), at(0));
    expect(echoes.isNews(updated(copy('6'), copy('7')))).toBe(true);
    expect(echoes.newest(copy('7'), at(1)).metadata.resourceVersion).toBe('7');
    expect(echoes.isNews(updated(copy('7'), copy('8')))).toBe(true);
  });

  it('versions that earlier writes of ours made are no news either, and do not end the wait', () => {
    const echoes = new Echoes();
    for (const version of ['8', '9', '9', '10']) echoes.expect(copy(version), still(copy('7')), at(0));
    for (const version of ['8', '9']) {
      expect(echoes.isNews(updated(copy('7'), copy(version)))).toBe(false);
      expect(echoes.newest(copy(version), at(1)).metadata.resourceVersion).toBe('10');
    }
    expect(echoes.isNews(updated(copy('9'), copy('10')))).toBe(false);
    expect(echoes.size).toBe(0);
    for (let version = 8; version < 200; version++) echoes.expect(copy(`${version}`), still(copy('7')), at(0));
    expect(echoes.size).toBe(1);
  });

  it('an answer that the watch never tells of is not believed for ever, and is news when it does come', () => {
    const echoes = new Echoes();
    echoes.expect(copy('8'), still(copy('7')), at(0));
    expect(echoes.newest(copy('7'), at(179_999)).metadata.resourceVersion).toBe('8');
    expect(echoes.newest(copy('7'), at(180_000)).metadata.resourceVersion).toBe('7');
    expect(echoes.isNews(updated(copy('7'), copy('8')))).toBe(true);
  });

  it('a plane that went back to an earlier version is believed', () => {
    const echoes = new Echoes();
    echoes.expect(copy('8'), still(copy('7')), at(0));
    expect(echoes.isNews(updated(copy('7'), copy('3')))).toBe(true);
    expect(echoes.newest(copy('3'), at(1)).metadata.resourceVersion).toBe('3');
  });

  it('another copy of that version is news, and so is one that is added or deleted', () => {
    const echoes = new Echoes();
    echoes.expect(copy('8'), still(copy('7')), at(0));
    expect(echoes.isNews(updated(copy('7', {}, 'other'), copy('8', {}, 'other')))).toBe(true);
    expect(echoes.isNews({ type: 'added', object: copy('8') })).toBe(true);
    echoes.expect(copy('8'), still(copy('7')), at(0));
    expect(echoes.isNews({ type: 'deleted', object: copy('8') })).toBe(true);
    expect(echoes.size).toBe(0);
  });

  it('a copy whose labels move is news to what it has left', () => {
    const echoes = new Echoes();
    echoes.expect(copy('8', { name: 'web' }), still(copy('7', { name: 'other' })), at(0));
    expect(echoes.isNews(updated(copy('7', { name: 'other' }), copy('8', { name: 'web' })))).toBe(true);
  });

  it('what the watch tells of a copy while it is written waits for the answer', () => {
    const echoes = new Echoes();
    let looks = 0;
    /** The versions that are told of meanwhile, and what the write is answered with. */
    const write = (told: readonly string[], answer: string | undefined): readonly boolean[] => {
      using _heard = echoes.whileWriting(copy('7'), () => looks++);
      const news = told.map((version) => echoes.isNews(updated(copy('7'), copy(version))));
      if (answer !== undefined)
        echoes.expect(copy(answer), { before: copy('7'), after: copy(told.at(-1) ?? '7') }, at(0));
      return news;
    };
    expect([write(['8'], '8'), looks]).toEqual([[false], 0]);
    expect([write(['8', '9'], '9'), looks]).toEqual([[false, false], 1]);
    expect([write(['9'], '8'), looks]).toEqual([[false], 2]);
    expect([write(['8'], undefined), looks]).toEqual([[false], 3]);
    expect([write([], '8'), looks]).toEqual([[], 3]);
    expect(echoes.isNews(updated(copy('7'), copy('8')))).toBe(false);
    expect(echoes.isNews(updated(copy('8'), copy('9')))).toBe(true);
  });

  it('of a copy that is written, its end and what it has left are news at once, and so is all of others', () => {
    const echoes = new Echoes();
    using _heard = echoes.whileWriting(copy('7'), () => undefined);
    expect(echoes.isNews({ type: 'deleted', object: copy('8') })).toBe(true);
    expect(echoes.isNews(updated(copy('7', { name: 'other' }), copy('8', { name: 'web' })))).toBe(true);
    expect(echoes.isNews(updated(copy('7', {}, 'other'), copy('8', {}, 'other')))).toBe(true);
  });

  it('what the cache has already is not waited for, nor what it may have passed while we wrote', () => {
    const echoes = new Echoes();
    echoes.expect(copy('8'), still(copy('8')), at(0));
    expect(echoes.size).toBe(0);
    echoes.expect(copy('8'), { before: copy('7'), after: copy('8') }, at(0));
    echoes.expect(copy('8'), { before: copy('7'), after: copy('9') }, at(0));
    echoes.expect(copy('8'), { before: undefined, after: copy('9') }, at(0));
    expect(echoes.size).toBe(0);
    expect(echoes.isNews(updated(copy('7'), copy('8')))).toBe(true);
  });
});
