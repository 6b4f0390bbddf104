/** The alerts of the chart speak of metrics that a replicator really exports, with the labels that these have. */
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

const file = join(import.meta.dirname, '../../charts/hub-replicator/files/alerts.yaml');
const alerts = parse(readFileSync(file, 'utf8')) as readonly Alert[];

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

describe('the alerts', () => {
  let exported = '';
  beforeAll(async () => {
    await using platform = await Platform.start({ projects: ['p1'] });
    exported = await platform.world.processes.process('r1').metrics.text();
  });

  it.each(alerts)('$alert asks for what is exported', ({ expr }) => {
    const selectors = selectorsOf(expr);
    expect(selectors.length).toBe(expr.split('SELECTOR').length - 1);
    expect(selectors.length).toBeGreaterThan(0);
    for (const { metric, matchers } of selectors) {
      const definition = definitionOf(metric);
      expect(definition, metric).toBeDefined();
      const isThere = (text: string): boolean => exported.includes(text);
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
