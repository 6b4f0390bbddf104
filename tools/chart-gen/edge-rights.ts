/** The `files/rights.yaml` of the edge's charts: what the apps need of their edge, by their settings. */
import { truthNamespace } from '@lifeline/core';
import {
  config as extensionServerConfig,
  type ExtensionServerConfig,
  extensionServerRights,
  type ExtensionServerRights,
} from '@lifeline/edge-extension-server';
import {
  config as retranslatorConfig,
  type RetranslatorConfig,
  retranslatorRights,
  type RetranslatorRights,
} from '@lifeline/edge-retranslator';
import { type RoleOfCases, rolesByCase } from './roles.ts';

export interface EdgeRightsFile {
  /** Of the watermark. */
  readonly truthNamespace: string;
  readonly roles: readonly RoleOfCases<keyof ExtensionServerRights>[];
}

const gatewayClasses = ['edge'];
const local = ['127.0.0.1:1'];
const reports = {
  service: 'edge/extension-servers',
  envoyGatewayMetrics: ['http://envoy-gateway.test:19001/metrics'],
};

/** What rights differ by: the templates tell the same cases apart. */
const reportsOf: Readonly<Record<string, Partial<typeof reports>>> = {
  retranslating: { service: reports.service },
  'retranslating-metrics': reports,
};

export const extensionServerCases: readonly string[] = ['answering', ...Object.keys(reportsOf)];
export const retranslatorCases: readonly string[] = Object.keys(reportsOf);

export const extensionServerSettings = (name: string): ExtensionServerConfig =>
  extensionServerConfig.parse({
    gatewayClasses,
    hook: { listen: local },
    report: { listen: local },
    edit: {},
    withRetranslator: name !== 'answering',
    reports: reportsOf[name] ?? {},
  });
export const retranslatorSettings = (name: string): RetranslatorConfig =>
  retranslatorConfig.parse({ edge: { gatewayClasses }, reports: reportsOf[name] });

export const extensionServerRightsFile = (): EdgeRightsFile => ({
  truthNamespace,
  roles: rolesByCase<keyof ExtensionServerRights>(extensionServerCases, (name) => ({
    ...extensionServerRights(extensionServerSettings(name)),
  })),
});

export const retranslatorRightsFile = (): EdgeRightsFile => ({
  truthNamespace,
  roles: rolesByCase<keyof RetranslatorRights>(retranslatorCases, (name) => ({
    ...retranslatorRights(retranslatorSettings(name)),
  })),
});
