import { describe, expect, it } from 'vitest';
import { createHealth, formatHealth } from './health.ts';

describe('createHealth', () => {
  it('is alive but not ready before anything has started', () => {
    const health = createHealth();
    expect(health.livez().ok).toBe(true);
    expect(health.readyz().ok).toBe(false);
  });

  it('recovers by itself, counts a throwing check as failed, and forgets disposed ones', () => {
    const health = createHealth();
    let ok = false;
    health.ready('caches', () => (ok ? { ok: true } : { ok: false, reason: 'syncing' }));
    const bad = health.ready('bad', () => {
      throw new Error('broken');
    });
    expect(formatHealth(health.readyz())).toBe('[-]caches failed: syncing\n[-]bad failed: broken\nnot ok\n');
    bad[Symbol.dispose]();
    ok = true;
    expect(formatHealth(health.readyz())).toBe('[+]caches ok\nok\n');
  });

  it('refuses two checks of one name', () => {
    const health = createHealth();
    health.live('x', () => ({ ok: true }));
    expect(() => health.live('x', () => ({ ok: true }))).toThrow('already registered');
  });

  it('has pages, each at one path, until they are disposed', () => {
    const health = createHealth();
    const page = health.page('/debug/x', () => ({ at: 1 }));
    expect(() => health.page('/debug/x', () => 2)).toThrow('already registered');
    expect(health.pages.get('/debug/x')?.()).toEqual({ at: 1 });
    page[Symbol.dispose]();
    expect(health.pages.size).toBe(0);
  });
});
