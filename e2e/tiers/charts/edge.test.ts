/** What the charts of the edge's apps render, by the real helm, held against the apps. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { V1ValidatingAdmissionPolicy } from '@kubernetes/client-node';
import { type PolicyRule, truthNamespace } from '@lifeline/core';
import {
  app as extensionServerApp,
  extensionServerRights,
  type ExtensionServerConfig,
} from '@lifeline/edge-extension-server';
import { app as retranslatorApp, retranslatorRights, type RetranslatorConfig } from '@lifeline/edge-retranslator';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { grants } from '../../rights.fixture.ts';
import { type EdgeChart, extensionServer, retranslator } from './edge-cases.fixture.ts';
import { charts, type Manifest, merged, release, runHelm, runTemplate, template, type Values } from './helm.fixture.ts';
import { PlaneOfRelease } from './plane.fixture.ts';
import { configOf, only } from './rendered.fixture.ts';
import { workloadOf } from './workload.fixture.ts';

/** What both apps' settings say, in one form. */
interface Told {
  readonly config: object;
  readonly kubeconfig: string | undefined;
  readonly stampAnnotation: string;
  readonly retranslates: boolean;
  readonly shutdownMs: number;
  readonly service: string | undefined;
  readonly files: readonly (string | undefined)[];
  readonly rights: Readonly<Record<string, readonly PolicyRule[]>>;
}

const reportFiles = ({ certificate, key, authority }: RetranslatorConfig['reports']) => [certificate, key, authority];

async function toldByServer(objects: readonly Manifest[]): Promise<Told> {
  const config: ExtensionServerConfig = await configOf(extensionServerApp, objects);
  const { tls, reports, kubeconfig, stampAnnotation, shutdownMs, withRetranslator: retranslates } = config;
  const own = [tls?.certificate, tls?.key, tls?.ca, kubeconfig];
  return {
    config,
    kubeconfig,
    stampAnnotation,
    shutdownMs,
    retranslates,
    service: retranslates ? reports.service : undefined,
    files: retranslates ? [...own, ...reportFiles(reports)] : own,
    rights: { ...extensionServerRights(config) },
  };
}

async function toldByRetranslator(objects: readonly Manifest[]): Promise<Told> {
  const config: RetranslatorConfig = await configOf(retranslatorApp, objects);
  const { edge, reports, shutdownMs } = config;
  return {
    config,
    kubeconfig: edge.kubeconfig,
    stampAnnotation: edge.stampAnnotation,
    shutdownMs,
    retranslates: true,
    service: reports.service,
    files: [edge.kubeconfig, ...reportFiles(reports)],
    rights: { ...retranslatorRights(config) },
  };
}

const sides: readonly (EdgeChart & { told: (objects: readonly Manifest[]) => Promise<Told> })[] = [
  { ...extensionServer, told: toldByServer },
  { ...retranslator, told: toldByRetranslator },
];

describe.each(sides)('$chart', ({ chart, cases, wrong, told }) => {
  const rendered = new Map<string, readonly Manifest[]>();
  beforeAll(async () => {
    for (const [name, values] of Object.entries(cases)) rendered.set(name, await template(chart, values));
  }, 120_000);
  const objectsOf = (name: string): readonly Manifest[] => rendered.get(name) ?? [];

  it('is linted without a word', async () => {
    const { code, stdout } = await runHelm(['lint', '--strict', join(charts, chart)], cases['everything']);
    expect(stdout).not.toMatch(/WARNING|ERROR/);
    expect(code).toBe(0);
  });

  it.each(wrong)('does not take %s', async (_, values, says) => {
    const { code, stdout, stderr } = await runTemplate(chart, values);
    expect(stderr).toContain(says);
    expect(stderr.match(/^ {2}- /gm) ?? ['the schema']).toHaveLength(1);
    expect({ code, stdout: stdout.trim() }).toEqual({ code: 1, stdout: '' });
  });

  it('tells all problems at once', async () => {
    const { stderr } = await runTemplate(chart, {});
    expect(stderr.match(/^ {2}- /gm)).toHaveLength(4);
  });

  it.each(Object.keys(cases))('is taken by an API server: %s', async (name) => {
    const objects = objectsOf(name);
    await using plane = await PlaneOfRelease.create(objects);
    expect(await plane.refused(objects)).toEqual([]);
  });

  it.each(Object.keys(cases))(
    'has a configuration that says what was meant, and names files that are there: %s',
    async (name) => {
      const { config, files } = await told(objectsOf(name));
      const given = (cases[name]?.['config'] ?? {}) as Values;
      const own = (given['tls'] as Values | undefined)?.['reportClients'] ?? [];
      const { tls = {} } = config as { tls?: { reportClients?: string[] } };
      expect(tls.reportClients ?? []).toEqual(expect.arrayContaining(own as string[]));
      expect(config).toMatchObject(merged(given, 'tls' in given ? { tls: { reportClients: tls.reportClients } } : {}));
      const { readable } = workloadOf(only(objectsOf(name), 'Deployment'));
      for (const path of files) if (path !== undefined) expect(readable(path), path).toBe(true);
    },
  );

  it.each(Object.keys(cases))('runs with no more than it needs, and never with fewer replicas: %s', async (name) => {
    const deployment = only(objectsOf(name), 'Deployment');
    const { pod, container, selects } = workloadOf(deployment);
    const { kubeconfig, shutdownMs } = await told(objectsOf(name));
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
    expect(pod.automountServiceAccountToken).toBe(kubeconfig === undefined);
    expect((pod.terminationGracePeriodSeconds ?? 0) * 1_000).toBeGreaterThanOrEqual(shutdownMs + 10_000);
    expect(deployment.spec?.['strategy']).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
    });
    for (const { labelSelector } of pod.topologySpreadConstraints ?? [])
      expect(selects(labelSelector?.matchLabels)).toBe(true);
    expect(pod.topologySpreadConstraints === undefined).toBe(name === 'bare' && chart === extensionServer.chart);
    const budget = objectsOf(name).filter(({ kind }) => kind === 'PodDisruptionBudget');
    expect(budget).toHaveLength(name === 'bare' ? 0 : 1);
    for (const { spec } of budget) expect(selects((spec?.['selector'] as Values)['matchLabels'] as never)).toBe(true);
  });

  it.each(Object.keys(cases))(
    'gives the rights that the app declares, where it declares them, and no others: %s',
    async (name) => {
      const { kubeconfig, service, rights } = await told(objectsOf(name));
      const given = objectsOf(name).filter(({ kind }) => kind?.endsWith('Role'));
      const wanted =
        name === 'bare' || kubeconfig !== undefined ? [] : Object.entries(rights).filter(([, rules]) => rules.length);
      expect(given.map(({ metadata }) => metadata.name.replace(/^.*-/, '')).sort()).toEqual(
        wanted.map(([role]) => role).sort(),
      );
      const namespaces: Readonly<Record<string, string | undefined>> = {
        truth: truthNamespace,
        reports: service?.split('/')[0],
      };
      for (const [role, rules] of wanted) {
        const made = given.find(({ metadata }) => metadata.name.endsWith(`-${role}`));
        expect(grants(made?.rules ?? []), role).toEqual(grants(rules));
        expect(made?.metadata.namespace, role).toBe(namespaces[role]);
      }
      const { serviceAccountName } = workloadOf(only(objectsOf(name), 'Deployment')).pod;
      for (const { subjects } of objectsOf(name).filter(({ kind }) => kind?.endsWith('RoleBinding')))
        expect(subjects).toEqual([{ kind: 'ServiceAccount', name: serviceAccountName, namespace: release.namespace }]);
    },
  );

  it.each(Object.keys(cases))('narrows what it may patch to the stamp: %s', async (name) => {
    const { kubeconfig, retranslates, stampAnnotation } = await told(objectsOf(name));
    const policies = objectsOf(name).filter(({ kind }) => kind?.startsWith('ValidatingAdmissionPolicy'));
    if (!retranslates || kubeconfig !== undefined || name === 'bare') return void expect(policies).toEqual([]);
    const policy = only(policies, 'ValidatingAdmissionPolicy') as unknown as V1ValidatingAdmissionPolicy;
    const { serviceAccountName } = workloadOf(only(objectsOf(name), 'Deployment')).pod;
    const { matchConditions, validations, failurePolicy } = policy.spec ?? {};
    expect(failurePolicy).toBe('Fail');
    expect(matchConditions?.map(({ expression }) => expression)).toEqual([
      `request.userInfo.username == "system:serviceaccount:${release.namespace}:${serviceAccountName}"`,
    ]);
    expect(validations?.map(({ expression }) => expression)).toEqual([
      'object.spec == oldObject.spec',
      expect.stringMatching(/^object\.metadata\.\?labels == .* && .*finalizers == .* && .*ownerReferences == [^&]*$/),
      expect.stringContaining(`key == "${stampAnnotation}"`),
    ]);
    expect(only(policies, 'ValidatingAdmissionPolicyBinding').spec).toEqual({
      policyName: policy.metadata?.name,
      validationActions: ['Deny'],
    });
  });

  it('has examples in its README that work', async () => {
    const text = readFileSync(join(charts, chart, 'README.md'), 'utf8');
    const examples = Array.from(
      text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm),
      ([, block = '']) => parse(block) as Values,
    );
    expect(examples.length).toBeGreaterThan(0);
    for (const values of examples) {
      const objects = await template(chart, values);
      await using plane = await PlaneOfRelease.create(objects);
      expect(await plane.refused(objects)).toEqual([]);
      await told(objects);
    }
  });

  it('has alerts of this release', () => {
    const { spec } = only(objectsOf('everything'), 'PrometheusRule');
    const [group] = spec?.['groups'] as { rules: { expr: string }[] }[];
    const file = parse(readFileSync(join(charts, chart, 'files/alerts.yaml'), 'utf8')) as unknown[];
    expect(group?.rules).toHaveLength(file.length);
    for (const { expr } of group?.rules ?? []) expect(expr).toContain('{job="edge"');
  });
});
