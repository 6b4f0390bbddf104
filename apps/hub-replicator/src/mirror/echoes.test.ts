import type { KubeObject } from '@lifeline/core';
import type { SoundEvent } from '@lifeline/k8s';
import { describe, expect, it } from 'vitest';
import { Echoes } from './echoes.ts';

const copy = (resourceVersion: string, labels: Record<string, string> = {}, uid = 'copy-uid'): KubeObject => ({
  apiVersion: 'networking.datumapis.com/v1alpha1',
  kind: 'HTTPProxy',
  metadata: { namespace: 'ns-1', name: 'web', uid, resourceVersion, labels },
});
const updated = (old: KubeObject, object: KubeObject): SoundEvent<KubeObject> => ({ type: 'updated', old, object });

describe('Echoes', () => {
  it('the version that a write was answered with is no news, once', () => {
    const echoes = new Echoes();
    echoes.expect(copy('8'), copy('7'));
    expect(echoes.isNews(updated(copy('7'), copy('8')))).toBe(false);
    expect(echoes.isNews(updated(copy('7'), copy('8')))).toBe(true);
    expect(echoes.size).toBe(0);
  });

  it('what others write, before it or after it, is news', () => {
    const echoes = new Echoes();
    echoes.expect(copy('8'), copy('6'));
    expect(echoes.isNews(updated(copy('6'), copy('7')))).toBe(true);
    expect(echoes.isNews(updated(copy('7'), copy('8')))).toBe(false);
    expect(echoes.isNews(updated(copy('8'), copy('9')))).toBe(true);
  });

  it('another copy of that version is news, and so is one that is added or deleted', () => {
    const echoes = new Echoes();
    echoes.expect(copy('8'), copy('7'));
    expect(echoes.isNews(updated(copy('7', {}, 'other'), copy('8', {}, 'other')))).toBe(true);
    expect(echoes.isNews({ type: 'added', object: copy('8') })).toBe(true);
    expect(echoes.isNews({ type: 'deleted', object: copy('8') })).toBe(true);
    expect(echoes.size).toBe(0);
  });

  it('a copy whose labels move is news to what it has left', () => {
    const echoes = new Echoes();
    echoes.expect(copy('8', { name: 'web' }), copy('7', { name: 'other' }));
    expect(echoes.isNews(updated(copy('7', { name: 'other' }), copy('8', { name: 'web' })))).toBe(true);
  });

  it('what the cache has already is not waited for', () => {
    const echoes = new Echoes();
    echoes.expect(copy('7'), undefined);
    echoes.expect(copy('8'), copy('8'));
    expect(echoes.size).toBe(0);
    expect(echoes.isNews(updated(copy('7'), copy('8')))).toBe(true);
  });
});
