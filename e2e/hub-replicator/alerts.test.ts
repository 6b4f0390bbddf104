/** The alerts and the dashboard of the chart speak of metrics that a replicator really exports, with the labels that these have. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { metricDefinitions } from '@lifeline/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Platform } from './world.ts';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly severity: string;
  readonly summary: string;
  readonly description: string;
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
}

const read = (file: string): string =>
  readFileSync(join(import.meta.dirname, '../../charts/hub-replicator/files', file), 'utf8');
const alerts = parse(read('alerts.yaml')) as readonly Alert[];
const { panels } = JSON.parse(read('dashboard.json')) as Dashboard;

interface Selector {
  readonly metric: string;
  /** `plane="project"`, as they stand. */
  readonly matchers: readonly string[];
}

const selectorsOf = (expr: string): Selector[] =>
  Array.from(expr.matchAll(/([a-z_:][a-z0-9_:]*)\{([^}]*)\}/g), ([, metric = '', matchers = '']) => ({
    metric,
    matchers: matchers.split(/,\s*/),
  }));

const definitions = Object.values(metricDefinitions);
const definitionOf = (metric: string) =>
  definitions.find(({ name, type }) => name === (type === 'histogram' ? metric.replace(/_bucket$/, '') : metric));

let exported = '';
beforeAll(async () => {
  await using platform = await Platform.start({ projects: ['p1'] });
  exported = await platform.world.processes.process('r1').metrics.text();
});
const isThere = (text: string): boolean => exported.includes(text);

describe('the dashboard', () => {
  const targets = panels.flatMap(({ title, targets }) => targets.map((target) => ({ title, ...target })));
  /** What the scrape adds. */
  const ofPods = ['namespace', 'pod', 'le'];

  it.each(targets)('$title: $legendFormat', ({ expr, legendFormat }) => {
    const selectors = selectorsOf(expr);
    expect(selectors.length).toBeGreaterThan(0);
    for (const { metric, matchers } of selectors) {
      const definition = definitionOf(metric);
      expect(isThere(`# TYPE ${definition?.name} ${definition?.type}\n`), metric).toBe(true);
      const labels = [...ofPods, ...(definition?.labels ?? [])];
      expect(matchers.slice(0, 2)).toEqual(['namespace=~"$namespace"', 'pod=~"$pod"']);
      for (const matcher of matchers) expect(labels).toContain(matcher.split(/=~?/)[0]);
      const kept = /by \(([^)]*)\)/.exec(expr)?.[1]?.split(/,\s*/) ?? [];
      for (const label of kept) expect(labels).toContain(label);
      for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(kept).toContain(label);
    }
  });
});

describe('the alerts', () => {
  it.each(alerts)('$alert asks for what is exported', ({ expr }) => {
    const selectors = selectorsOf(expr);
    expect(selectors.length).toBe(expr.split('SELECTOR').length - 1);
    expect(selectors.length).toBeGreaterThan(0);
    for (const { metric, matchers } of selectors) {
      const definition = definitionOf(metric);
      expect(definition, metric).toBeDefined();
      expect(isThere(`# TYPE ${definition?.name} ${definition?.type}\n`), metric).toBe(true);
      const [own, ...labels] = matchers;
      expect(own).toBe('SELECTOR');
      for (const label of labels) expect(definition?.labels, label).toContain(label.split('=')[0]);
      // A gauge shows each of its states from the beginning; a counter what has happened.
      if (definition?.type === 'gauge' && labels.length > 0)
        expect(isThere(`\n${metric}{${labels.join()}} `), labels.join()).toBe(true);
      // Without a threshold it fires as soon as there is anything.
      expect(expr).toMatch(/ (?:>|!=) (?:\d+|SHARDS)$/);
    }
  });

  it('are called differently, say what is wrong and what to do, and how urgent it is', () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
    for (const { alert, summary, description, severity, for: pending } of alerts) {
      expect(alert).toMatch(/^Lifeline[A-Z]/);
      expect(summary.length, alert).toBeGreaterThan(20);
      expect(description.length, alert).toBeGreaterThan(60);
      expect(['critical', 'warning', 'info']).toContain(severity);
      expect(pending).toMatch(/^(?:\d+[ms]|SWEPT)$/);
    }
  });
});
