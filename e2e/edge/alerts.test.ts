/** The alerts of the edge's charts speak of metrics that the apps really export, with the labels that these have. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ConfigMap,
  Connector,
  EndpointSlice,
  Gateway,
  HTTPProxy,
  metricDefinitions,
  Namespace,
  seeded,
} from '@lifeline/core';
import { VirtualClock } from '@lifeline/core/testing';
import { app as extensionServer, config as extensionServerConfig } from '@lifeline/edge-extension-server';
import { app as retranslator, config as retranslatorConfig } from '@lifeline/edge-retranslator';
import type { Env } from '@lifeline/k8s';
import { createAuthority, createScriptedApi, kubeconfig, testEnv, until } from '@lifeline/k8s/testing';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Alert {
  readonly alert: string;
  readonly of?: string;
  readonly expr: string;
  readonly for: string;
  readonly severity: string;
  readonly summary: string;
  readonly description: string;
}

const url = 'https://edge.test';
const authority = createAuthority('edge');
const { certificate, key } = authority.issue({ commonName: 'server', dnsNames: ['server.test'] });
const files = { kubeconfig: kubeconfig(url), 'tls.crt': certificate, 'tls.key': key, 'ca.crt': authority.certificate };
const gatewayClasses = ['edge'];
const reports = { certificate: 'tls.crt', key: 'tls.key', authority: 'ca.crt', serverName: 'server.test' };

/** What an app exports that has come to this. */
async function exported(start: (env: Env) => Promise<void>, isThere: (text: string) => boolean): Promise<string> {
  const clock = new VirtualClock();
  const kinds = [Connector, HTTPProxy, Gateway, Namespace, ConfigMap, EndpointSlice];
  const api = createScriptedApi({ clock, random: seeded('edge'), kinds });
  const life = new AbortController();
  const env = testEnv({ clock, signal: life.signal, planes: { [url]: api }, files });
  const running = start(env);
  let text = '';
  await until(() => {
    void env.metrics.text().then((now) => (text = now));
    return isThere(text);
  });
  life.abort(new Error('SIGTERM'));
  await clock.run(running);
  return text;
}

const listen = ['127.0.0.1:0'];
const apps = [
  {
    chart: 'edge-extension-server',
    start: (env: Env) =>
      extensionServer.start(
        env,
        extensionServerConfig.parse({
          kubeconfig: 'kubeconfig',
          gatewayClasses,
          tls: { certificate: 'tls.crt', key: 'tls.key', ca: 'ca.crt', hookClients: ['envoy-gateway.test'] },
          hook: { listen },
          report: { listen },
          edit: {},
          reports,
        }),
      ),
  },
  {
    chart: 'edge-retranslator',
    start: (env: Env) =>
      retranslator.start(
        env,
        retranslatorConfig.parse({
          edge: { kubeconfig: 'kubeconfig', gatewayClasses },
          reports: { ...reports, service: 'edge/extension-servers' },
        }),
      ),
  },
];

const alertsOf = (chart: string): readonly Alert[] =>
  parse(readFileSync(join(import.meta.dirname, `../../charts/${chart}/files/alerts.yaml`), 'utf8')) as readonly Alert[];
const definitions = Object.values(metricDefinitions);
const definitionOf = (metric: string) =>
  definitions.find(
    ({ name, type }) => name === (type === 'histogram' ? metric.replace(/_(?:bucket|count)$/, '') : metric),
  );

describe.each(apps)('the alerts of $chart', ({ chart, start }) => {
  const alerts = alertsOf(chart);

  it('ask for what is exported', async () => {
    const text = await exported(start, (now) => now.includes('# TYPE lifeline_report_streams '));
    for (const { alert, expr } of alerts) {
      const selectors = Array.from(expr.matchAll(/([a-z_:][a-z0-9_:]*)\{([^}]*)\}/g));
      expect(selectors.length, alert).toBe(expr.split('SELECTOR').length - 1);
      expect(selectors.length, alert).toBeGreaterThan(0);
      for (const [, metric = '', matchers = ''] of selectors) {
        const definition = definitionOf(metric);
        expect(definition, metric).toBeDefined();
        expect(text, alert).toContain(`# TYPE ${definition?.name} ${definition?.type}\n`);
        const [own, ...labels] = matchers.split(/,\s*/);
        expect(own).toBe('SELECTOR');
        for (const label of labels) expect(definition?.labels, label).toContain(label.split(/!?=/)[0]);
        const kept = /by \(([^)]*)\)/.exec(expr)?.[1]?.split(/,\s*/) ?? [];
        for (const label of kept) expect(['le', ...(definition?.labels ?? [])]).toContain(label);
      }
      // Without a threshold it fires as soon as there is anything.
      expect(expr, alert).toMatch(/ [<>] \d+$/);
    }
  });

  it('are called differently, say what is wrong and what to do, and how urgent it is', () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
    for (const { alert, of, summary, description, severity, for: pending } of alerts) {
      expect(alert).toMatch(/^Lifeline[A-Z]/);
      expect(summary.length, alert).toBeGreaterThan(20);
      expect(description.length, alert).toBeGreaterThan(60);
      expect(['critical', 'warning', 'info']).toContain(severity);
      expect(pending).toMatch(/^\d+[mh]$/);
      expect(['hook', 'retranslator', undefined]).toContain(of);
    }
  });
});

it('the metrics of the retranslator are not there where it does not run', async () => {
  const settings = extensionServerConfig.parse({
    kubeconfig: 'kubeconfig',
    gatewayClasses,
    hook: { listen },
    report: { listen },
    edit: {},
    withRetranslator: false,
    reports: {},
  });
  const text = await exported(
    (env) => extensionServer.start(env, settings),
    (now) => now.includes('# TYPE lifeline_connectors '),
  );
  const of = alertsOf('edge-extension-server').filter((alert) => alert.of === 'retranslator');
  expect(of.map(({ alert }) => alert)).toEqual(['LifelineUnconvergedGateways']);
  expect(text).not.toContain('lifeline_unconverged_gateways');
});
