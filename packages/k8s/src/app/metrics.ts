/** Metrics as the platform uses them; the one place that knows the library is `manager/prometheus.ts`. */

export interface MetricSpec {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[] | undefined;
  /** Upper bounds; histograms only. Never combine buckets with a `cluster` label: a scrape of 500 clusters then takes most of a second. */
  readonly buckets?: readonly number[] | undefined;
}

export type MetricLabels = Readonly<Record<string, string>>;

export interface Counter {
  inc(labels?: MetricLabels, by?: number): void;
  /** Drops one series, when what it describes is gone. One that comes back counts from zero, as after a restart. */
  remove(labels: MetricLabels): void;
}

export interface Gauge {
  set(value: number, labels?: MetricLabels): void;
  /** Drops one series, when what it describes is gone. */
  remove(labels: MetricLabels): void;
}

export interface Histogram {
  observe(value: number, labels?: MetricLabels): void;
}

/** One registry per app. Asking twice for a name gives the same metric; the same name with another shape is an error. */
export interface Metrics {
  counter(spec: MetricSpec): Counter;
  gauge(spec: MetricSpec): Gauge;
  /** A gauge that is asked when scraped; each call yields its series. */
  collect(
    spec: MetricSpec,
    read: () => Iterable<{ readonly labels: MetricLabels; readonly value: number }>,
  ): Disposable;
  histogram(spec: MetricSpec): Histogram;
  /** Prometheus text format. */
  text(): Promise<string>;
}
