import { describe, expect, it } from 'vitest';
import { parseSelector } from '../meta/selector.ts';
import { isDnsLabel, isDnsSubdomain, isLabelValue, isQualifiedName } from '../meta/syntax.ts';
import { annotations, reachesHook } from './annotations.ts';
import {
  conditionTypes,
  connectorReasons,
  deploymentReasons,
  instanceReadyReasons,
  quotaReasons,
} from './conditions.ts';
import { attemptBackoffMs, defaultPorts, edgeDefaults, stampDefaults } from './defaults.ts';
import { fieldManagers } from './field-managers.ts';
import { finalizers } from './finalizers.ts';
import { edgeReasons, outcomeConverges, outcomes } from './hook.ts';
import { labels } from './labels.ts';
import { type MetricDefinition, metricDefinitions } from './metrics.ts';
import { installationConfigMap, truthNamespace, watermarkConfigMap } from './names.ts';
import { labelSelectors } from './selectors.ts';

const keys = Object.values({ ...labels, ...annotations });

describe('contract strings', () => {
  it('every key is one that the API server takes, and stands once', () => {
    const all = [...Object.values(labels), ...Object.values(annotations), ...Object.values(finalizers)];
    expect(new Set(all).size).toBe(all.length);
    expect(keys.length).toBe(Object.keys(labels).length + Object.keys(annotations).length);
    for (const key of all) expect(isQualifiedName(key), key).toBe(true);
  });

  it('names are valid names', () => {
    expect(isDnsLabel(truthNamespace)).toBe(true);
    for (const name of [installationConfigMap, watermarkConfigMap, edgeDefaults.placeholderHost]) {
      expect(isDnsSubdomain(name)).toBe(true);
    }
  });

  it('each controller has its own field manager', () => {
    const managers = Object.values(fieldManagers);
    expect(new Set(managers).size).toBe(managers.length);
    for (const manager of managers) expect(manager).toMatch(/^lifeline-[a-z-]+$/);
  });

  it('reasons and condition types have the form that metav1.Condition asks for', () => {
    const tables = [
      connectorReasons,
      deploymentReasons,
      instanceReadyReasons,
      quotaReasons,
      edgeReasons,
      conditionTypes,
    ];
    for (const table of tables) {
      expect(new Set(Object.values(table)).size).toBe(Object.values(table).length);
      for (const text of Object.values(table)) expect(text).toMatch(/^[A-Z][A-Za-z]*$/);
    }
  });

  it('selectors can be parsed', () => {
    for (const text of [
      labelSelectors.copies,
      labelSelectors.gatewaySync,
      labelSelectors.ours('demo'),
      labelSelectors.ofCell('c'),
      labelSelectors.ofCity('LAX'),
    ]) {
      expect(parseSelector(text)).toHaveLength(1);
    }
    expect(labelSelectors.ours('demo')).toBe('lifeline.dev/installation=demo');
  });

  it('the stamp reaches the hook, the key of the existing system does not', () => {
    expect(reachesHook(annotations.intent)).toBe(true);
    expect(reachesHook('networking.datumapis.com/connector-ready-generation')).toBe(false);
    expect(reachesHook('gateway.envoyproxy.io/')).toBe(false);
  });

  it('outcomes: an answer converges, a call that failed does not', () => {
    expect(outcomes.filter(outcomeConverges)).toEqual(['programmed', 'contained', 'rolledBack', 'skew']);
  });

  it('ports differ; the default body fits', () => {
    expect(new Set(Object.values(defaultPorts)).size).toBe(4);
    expect(edgeDefaults.offlineBody.length).toBeLessThanOrEqual(edgeDefaults.offlineBodyLimitBytes);
  });

  it('attempts back off 5 s × 2ⁿ up to 5 minutes', () => {
    expect([1, 2, 3, 6, 7, 8, 2000].map(attemptBackoffMs)).toEqual(
      [5, 10, 20, 160, 300, 300, 300].map((seconds) => seconds * 1000),
    );
    expect(stampDefaults.unservedBackoffMs).toEqual([5_000, 30_000, 300_000]);
  });
});

describe('metrics', () => {
  const all: readonly MetricDefinition[] = Object.values(metricDefinitions);
  it('every name and label is one that Prometheus takes, and every name stands once', () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    for (const { name, labels: names, help } of all) {
      expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
      for (const label of names) expect(label).toMatch(/^[a-z]+$/);
      expect(help).toMatch(/^[A-Z0-9].*\.$/);
    }
  });

  it('counters end in _total, and only they', () => {
    for (const { name, type } of all) expect(name.endsWith('_total'), name).toBe(type === 'counter');
  });

  it('histograms have rising buckets and no cluster label; nothing else has buckets', () => {
    for (const { name, type, buckets, labels: names } of all) {
      expect(buckets !== undefined, name).toBe(type === 'histogram');
      if (!buckets) continue;
      expect(buckets.toSorted((a, b) => a - b)).toEqual(buckets);
      expect(names).not.toContain('cluster');
    }
  });

  it('ours begin with lifeline_ or are names that dashboards know already', () => {
    const known = /^(lifeline|controller_runtime|workqueue|rest_client|leader_election|compute_quota)_/;
    for (const { name } of all) expect(name).toMatch(known);
  });
});

describe('label values we write ourselves', () => {
  it('are valid', () => {
    for (const value of ['demo', 'hub', 'project', 'true']) expect(isLabelValue(value)).toBe(true);
  });
});
