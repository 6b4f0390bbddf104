/** {@link Metrics} over prom-client: the one file that knows the library. */
import * as prom from 'prom-client';
import type { Metrics, MetricLabels, MetricSpec } from './metrics.ts';

/** client-go's and controller-runtime's usual spread for durations in seconds. */
const defaultBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export interface MetricsOptions {
  /** With `process_*` and `nodejs_*`, event loop lag among them. For a process of its own: they start timers. Default false. */
  readonly process?: boolean | undefined;
}

/** A registry of its own: nothing is shared between apps of one process. */
export function createMetrics(options: MetricsOptions = {}): Metrics {
  const registry = new prom.Registry();
  if (options.process) prom.collectDefaultMetrics({ register: registry });
  const shapes = new Map<string, string>();
  const known = new Map<string, unknown>();

  function once<M>(type: string, spec: MetricSpec, create: () => M): M {
    const shape = JSON.stringify([type, spec.labels ?? [], spec.buckets ?? null]);
    if (!known.has(spec.name)) {
      known.set(spec.name, create());
      shapes.set(spec.name, shape);
    } else if (shapes.get(spec.name) !== shape) {
      throw new TypeError(`metric ${spec.name} is already registered with another type, labels or buckets`);
    }
    return known.get(spec.name) as M;
  }

  const base = ({
    name,
    help,
    labels = [],
  }: MetricSpec): { name: string; help: string; labelNames: string[]; registers: prom.Registry[] } => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  });

  return {
    counter: (spec) =>
      once('counter', spec, () => {
        const counter = new prom.Counter(base(spec));
        return {
          inc: (labels: MetricLabels = {}, by = 1) => counter.inc(labels, by),
          remove: (labels: MetricLabels) => counter.remove(labels),
        };
      }),
    gauge: (spec) =>
      once('gauge', spec, () => {
        const gauge = new prom.Gauge(base(spec));
        return {
          set: (value: number, labels: MetricLabels = {}) => gauge.set(labels, value),
          remove: (labels: MetricLabels) => gauge.remove(labels),
        };
      }),
    histogram: (spec) =>
      once('histogram', spec, () => {
        const histogram = new prom.Histogram({ ...base(spec), buckets: [...(spec.buckets ?? defaultBuckets)] });
        return { observe: (value: number, labels: MetricLabels = {}) => histogram.observe(labels, value) };
      }),
    collect(spec, read) {
      const readers = once('collect', spec, () => {
        const all = new Set<typeof read>();
        new prom.Gauge({
          ...base(spec),
          collect() {
            this.reset();
            for (const reader of all) for (const { labels, value } of reader()) this.set(labels, value);
          },
        });
        return all;
      });
      readers.add(read);
      return { [Symbol.dispose]: () => void readers.delete(read) };
    },
    text: () => registry.metrics(),
  };
}
