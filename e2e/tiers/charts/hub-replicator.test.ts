/** What the hub replicator's chart renders, by the real helm, held against the app. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { truthNamespace } from '@lifeline/core';
import { app } from '@lifeline/hub-replicator';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { cases, wrongCases } from './cases.fixture.ts';
import {
  charts,
  type Manifest,
  manifestsOf,
  merged,
  release,
  runHelm,
  runTemplate,
  template,
  type Values,
} from './helm.fixture.ts';
import { PlaneOfRelease } from './plane.fixture.ts';
import { isConfiguration, only, settingsOf } from './rendered.fixture.ts';
import { workloadOf } from './workload.fixture.ts';

const chart = 'hub-replicator';
const rendered = new Map<string, readonly Manifest[]>();
beforeAll(async () => {
  for (const [name, values] of Object.entries(cases)) rendered.set(name, await template(chart, values));
});
const objectsOf = (name: string): readonly Manifest[] => rendered.get(name) ?? [];
const apps = Object.keys(cases);

describe('lint', () => {
  it.each(apps)('has nothing to say: %s', async (name) => {
    const { code, stdout } = await runHelm(['lint', '--strict', join(charts, chart)], cases[name]);
    expect(stdout).toContain('0 chart(s) failed');
    expect(stdout).not.toMatch(/WARNING|ERROR/);
    expect(code).toBe(0);
  });
});

describe('values that cannot work', () => {
  it.each(wrongCases)('%s', async (_, values, says) => {
    const { code, stdout, stderr } = await runTemplate(chart, values);
    expect(stderr).toContain(says);
    expect({ code, stdout: stdout.trim() }).toEqual({ code: 1, stdout: '' });
  });

  it('are all told at once', async () => {
    const { stderr } = await runTemplate(chart, { replicas: 100, config: { healthPort: 8080 } });
    expect(stderr.match(/^ {2}- /gm)).toHaveLength(3);
  });
});

describe.each(apps)('%s', (name) => {
  it('is taken by an API server', async () => {
    const objects = objectsOf(name);
    await using plane = await PlaneOfRelease.create(objects);
    expect(await plane.refused(objects)).toEqual([]);
  });

  it('has a configuration that the app reads as it was meant', async () => {
    const settings = await settingsOf(objectsOf(name));
    const given = (cases[name]?.['config'] ?? {}) as Values;
    expect(app.config.parse(merged(settings as unknown as Values, given))).toEqual(settings);
  });

  it('mounts what the configuration names', async () => {
    const { hub, projects } = await settingsOf(objectsOf(name));
    const { readable } = workloadOf(only(objectsOf(name), 'Deployment'));
    for (const path of [hub.kubeconfig, projects.kubeconfig, projects.kubeconfigs])
      if (path !== undefined) expect(readable(path), path).toBe(true);
  });

  it('runs with no more than it needs, and is given the time to stop', async () => {
    const objects = objectsOf(name);
    const { hub, projects, shutdownMs } = await settingsOf(objects);
    const { pod, container } = workloadOf(only(objects, 'Deployment'));
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    for (const { readOnly } of container.volumeMounts ?? []) expect(readOnly).toBe(true);
    const follows = projects.mode === 'projects' || projects.mode === 'secrets';
    const speaksToItsOwn = hub.kubeconfig === undefined || (follows && projects.kubeconfig === undefined);
    expect(pod.automountServiceAccountToken).toBe(speaksToItsOwn);
    expect((pod.terminationGracePeriodSeconds ?? 0) * 1_000).toBeGreaterThanOrEqual(shutdownMs + 10_000);
    expect(objects.filter(({ kind }) => kind === 'Secret')).toEqual([]);
  });

  it('selects its own pods, and is found by its own ports', async () => {
    const objects = objectsOf(name);
    const { healthPort, metricsPort } = await settingsOf(objects);
    const deployment = only(objects, 'Deployment');
    const { selects, container, pod } = workloadOf(deployment);
    expect(container.ports).toEqual([
      { name: 'metrics', containerPort: metricsPort },
      { name: 'health', containerPort: healthPort },
    ]);
    for (const { labelSelector } of pod.topologySpreadConstraints ?? [])
      expect(selects(labelSelector?.matchLabels)).toBe(true);
    for (const { kind, spec = {} } of objects) {
      const selector = (spec['podSelector'] ?? spec['selector']) as Values | undefined;
      if (kind === 'ServiceMonitor')
        expect(only(objects, 'Service').metadata.labels).toMatchObject(selector?.['matchLabels'] as object);
      else if (selector) expect(selects((selector['matchLabels'] ?? selector) as never), kind).toBe(true);
    }
  });

  it('is all of one release, in one namespace, each object once', () => {
    const objects = objectsOf(name);
    const keys = objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace} ${metadata.name}`);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { kind, metadata } of objects) {
      expect(metadata.labels).toMatchObject({
        'app.kubernetes.io/instance': release.name,
        'app.kubernetes.io/managed-by': 'Helm',
        'app.kubernetes.io/part-of': 'lifeline',
      });
      if (kind?.startsWith('Cluster')) expect(metadata.namespace).toBeUndefined();
      else if (kind?.startsWith('Role')) expect([truthNamespace, 'planes', 'shards']).toContain(metadata.namespace);
      else expect(metadata.namespace).toBe(release.namespace);
    }
  });
});

describe('what is off', () => {
  const kindsOf = (name: string): string[] => objectsOf(name).flatMap(({ kind }) => kind ?? []);

  it('is not there, and what is on is', () => {
    expect(kindsOf('bare')).toEqual(['ConfigMap', 'Deployment', 'PodMonitor']);
    expect(kindsOf('folder')).toEqual(['ConfigMap', 'Deployment', 'PodDisruptionBudget', 'Service', 'ServiceAccount']);
    expect(kindsOf('single')).not.toContain('PodDisruptionBudget');
    expect(kindsOf('everything')).toEqual(
      expect.arrayContaining(['NetworkPolicy', 'PodDisruptionBudget', 'PrometheusRule', 'ServiceMonitor']),
    );
  });
});

describe('pods', () => {
  const annotations = (objects: readonly Manifest[]): Readonly<Record<string, string>> =>
    workloadOf(only(objects, 'Deployment')).annotations;

  it('are made anew by another configuration, and by nothing else', async () => {
    const checksum = 'checksum/config';
    const { [checksum]: before = '' } = annotations(objectsOf('folder'));
    expect(before).toMatch(/^[0-9a-f]{64}$/);
    const again = (more: Values) => template(chart, merged(cases['folder'] ?? {}, more));
    expect(annotations(await again({ config: { logLevel: 'debug' } }))[checksum]).not.toBe(before);
    expect(annotations(await again({ kubeconfigs: { hub: { key: 'other' } } }))[checksum]).not.toBe(before);
    expect(annotations(await again({ replicas: 3, monitor: { kind: 'Pod' } }))).toEqual(
      annotations(objectsOf('folder')),
    );
  });

  it('start with a heap that fits their memory, and with the image that is named', () => {
    const { container } = workloadOf(only(objectsOf('everything'), 'Deployment'));
    expect(container.env).toContainEqual({ name: 'NODE_OPTIONS', value: '--max-old-space-size-percentage=60' });
    expect(container.image).toBe(`registry.example/lifeline/hub-replicator@sha256:${'a'.repeat(64)}`);
    const folder = workloadOf(only(objectsOf('folder'), 'Deployment')).container;
    expect(folder.image).toMatch(/^registry\.example\/lifeline\/hub-replicator:\d+\.\d+\.\d+$/);
  });
});

describe('alerts', () => {
  it('are of this release and its settings', () => {
    const { spec } = only(objectsOf('everything'), 'PrometheusRule');
    const [group] = spec?.['groups'] as { rules: { alert: string; expr: string; for: string }[] }[];
    const text = JSON.stringify(spec);
    expect(text).not.toMatch(/SELECTOR|SHARDS|SWEPT/);
    const file = parse(readFileSync(join(charts, chart, 'files/alerts.yaml'), 'utf8')) as unknown[];
    expect(group?.rules).toHaveLength(file.length);
    for (const { expr } of group?.rules ?? []) expect(expr).toContain('{job="replicator"');
    expect(group?.rules.find(({ alert }) => alert === 'LifelineShardsUnheld')?.expr).toMatch(/ != 256$/);
    // Two sweeps after the least age, and five minutes.
    expect(group?.rules.find(({ alert }) => alert === 'LifelineOrphans')?.for).toBe('107500s');
  });
});

describe('the dashboard', () => {
  it('is JSON of one entry, found by its label', () => {
    const { data = {}, metadata } = only(
      objectsOf('everything').filter((object) => !isConfiguration(object)),
      'ConfigMap',
    );
    expect(metadata.labels).toMatchObject({ grafana_dashboard: '1' });
    expect(Object.keys(data)).toEqual(['hub-replicator.json']);
    expect(JSON.parse(data['hub-replicator.json'] ?? '')).toMatchObject({ title: 'Lifeline hub replicator' });
  });
});

describe('a field that Kubernetes does not have', () => {
  const [budget] = manifestsOf(
    'kind: PodDisruptionBudget\nmetadata: {name: a}\nspec: {maxUnavailble: 1, selector: {matchLabels: [a]}}',
  );
  const [deployment] = manifestsOf(
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a, namespace: default}\nspec: {replica: 1}',
  );

  it('would be seen', async () => {
    await using plane = await PlaneOfRelease.create([]);
    expect(await plane.refused([budget, deployment].filter((object) => object !== undefined))).toEqual([
      'PodDisruptionBudget a: .spec.maxUnavailble: V1PodDisruptionBudgetSpec has no such field',
      'PodDisruptionBudget a: .spec.selector.matchLabels: want a map',
      'Deployment a: .spec.replica: V1DeploymentSpec has no such field',
      expect.stringContaining('unknown field "spec.replica"'),
    ]);
  });
});

describe('the README', () => {
  const text = readFileSync(join(charts, chart, 'README.md'), 'utf8');
  const examples = Array.from(text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm), ([, block = '']) => ({
    mode: /mode: (\w+)/.exec(block)?.[1] ?? '',
    values: parse(block) as Values,
  }));

  it('has an example for each mode', () => {
    expect(examples.map(({ mode }) => mode).sort()).toEqual(['folder', 'projects', 'secrets', 'single']);
  });

  it.each(examples)('has values that work: $mode', async ({ mode, values }) => {
    const objects = await template(chart, values);
    await using plane = await PlaneOfRelease.create(objects);
    expect(await plane.refused(objects)).toEqual([]);
    expect((await settingsOf(objects)).projects.mode).toBe(mode);
  });
});

describe('goldens', () => {
  /** With `UPDATE_GOLDEN=1` they are written. */
  it.each(['folder', 'rights-of-a-hub'])('%s', async (name) => {
    const file = (suffix: string): string => join(charts, chart, 'tests', `${name}.${suffix}.yaml`);
    const values = parse(readFileSync(file('values'), 'utf8')) as Values;
    const { stdout } = await runTemplate(chart, values);
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file('golden'), stdout.replace(/^---\n/, ''));
    // Parsed: releases of helm indent differently.
    expect(existsSync(file('golden'))).toBe(true);
    expect(manifestsOf(stdout)).toEqual(manifestsOf(readFileSync(file('golden'), 'utf8')));
  });
});
