import { describe, expect, it } from 'vitest';
import { createMetrics } from './prometheus.ts';

describe('createMetrics', () => {
  it('gives the same metric for the same name, and keeps registries apart', async () => {
    const [a, b] = [createMetrics(), createMetrics()];
    const spec = { name: 'things_total', help: 'things', labels: ['kind'] };
    a.counter(spec).inc({ kind: 'x' });
    a.counter(spec).inc({ kind: 'x' }, 2);
    expect(await a.text()).toContain('things_total{kind="x"} 3');
    expect(await b.text()).not.toContain('things_total');
  });

  it('refuses one name with two shapes', () => {
    const metrics = createMetrics();
    metrics.counter({ name: 'n', help: 'h' });
    expect(() => metrics.gauge({ name: 'n', help: 'h' })).toThrow('already registered');
    expect(() => metrics.counter({ name: 'n', help: 'h', labels: ['x'] })).toThrow('already registered');
  });

  it('asks collectors when scraped and forgets disposed ones', async () => {
    const metrics = createMetrics();
    const spec = { name: 'size', help: 'h', labels: ['c'] };
    let value = 1;
    metrics.collect(spec, () => [{ labels: { c: 'a' }, value }]);
    const other = metrics.collect(spec, () => [{ labels: { c: 'b' }, value: 7 }]);
    expect(await metrics.text()).toContain('size{c="b"} 7');
    value = 2;
    other[Symbol.dispose]();
    const text = await metrics.text();
    expect(text).toContain('size{c="a"} 2');
    expect(text).not.toContain('c="b"');
  });

  it('counts into buckets and drops removed gauge series', async () => {
    const metrics = createMetrics();
    metrics.histogram({ name: 'seconds', help: 'h', buckets: [1, 5] }).observe(3);
    const gauge = metrics.gauge({ name: 'g', help: 'h', labels: ['c'] });
    gauge.set(1, { c: 'a' });
    gauge.remove({ c: 'a' });
    const text = await metrics.text();
    expect(text).toContain('seconds_bucket{le="5"} 1');
    expect(text).toContain('seconds_bucket{le="1"} 0');
    expect(text).not.toContain('g{');
  });
});
