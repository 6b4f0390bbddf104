/** The values that every chart has: what a platform team sets on any workload. The chart's own ones stand beside them. */
import { z } from 'zod';

/** In a pod every port is told beforehand. @param setting the app's own */
export const podPort = (setting: z.ZodDefault<z.ZodNumber>): z.ZodDefault<z.ZodNumber> =>
  z
    .number()
    .int()
    .min(1)
    .max(65_535)
    .default(setting.parse(undefined))
    .describe(setting.description ?? '');

/** An object of Kubernetes' own, taken over as it is. */
export const kubernetesObject: z.ZodRecord<z.ZodString, z.ZodUnknown> = z.record(z.string(), z.unknown());
const texts = z.record(z.string(), z.string());

/** Names and where the image comes from. */
export const identityValues = {
  nameOverride: z.string().max(63).default('').describe('instead of the name of the chart, in names and labels'),
  fullnameOverride: z
    .string()
    .max(47)
    .default('')
    .describe('instead of release and chart, in the names of all objects'),
  image: z
    .strictObject({
      repository: z.string().default('').describe('required: where your build pushes the image, with the registry'),
      tag: z.string().default('').describe("the chart's appVersion when empty"),
      digest: z
        .string()
        .regex(/^(sha256:[0-9a-f]{64})?$/)
        .default('')
        .describe('sha256:…; goes before the tag'),
      pullPolicy: z.enum(['IfNotPresent', 'Always', 'Never']).default('IfNotPresent').describe('as in a Container'),
      pullSecrets: z.array(kubernetesObject).default([]).describe('as imagePullSecrets of a Pod: [{name: registry}]'),
    })
    .describe('the image, as the Containerfile at the root makes it'),
};

/** How pods are placed, and what is put on them. */
export const podValues = {
  podAnnotations: texts.default({}).describe('put on the pods'),
  podLabels: texts.default({}).describe('put on the pods; they do not select anything'),
  priorityClassName: z.string().default('').describe('as in a Pod'),
  nodeSelector: texts.default({}).describe('as in a Pod'),
  tolerations: z.array(kubernetesObject).default([]).describe('as in a Pod'),
  affinity: kubernetesObject.default({}).describe('as in a Pod'),
  topologySpreadConstraints: z
    .array(kubernetesObject)
    .default([
      { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway' },
      { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway' },
    ])
    .describe("as in a Pod; a labelSelector that is left out selects this release's pods"),
  extraEnv: z
    .array(kubernetesObject)
    .default([])
    .describe(
      'as env of a Container: proxies, or what an exec plugin of a kubeconfig wants. Settings of the app belong to config, secrets to a Secret (valueFrom)',
    ),
  extraVolumes: z.array(kubernetesObject).default([]).describe('as volumes of a Pod: CA bundles, tokens, exec plugins'),
  extraVolumeMounts: z.array(kubernetesObject).default([]).describe('as volumeMounts of a Container'),
};

/** Who the pods are. */
export const serviceAccountValue = z
  .strictObject({
    create: z.boolean().default(true).describe('whether it is made'),
    name: z.string().default('').describe("the release's name when empty"),
    annotations: texts.default({}).describe('put on it'),
  })
  .describe('who the pods are in their own cluster');

export const heapPercent = (percent: number): z.ZodDefault<z.ZodNumber> =>
  z
    .number()
    .int()
    .min(10)
    .max(90)
    .default(percent)
    .describe(
      "how much of the container's memory limit JavaScript's heap may take; the rest is for connections and TLS",
    );

/** What makes it seen, and what it may reach. */
export const surroundingValues = {
  podDisruptionBudget: z
    .strictObject({
      enabled: z.boolean().default(true).describe('made with two replicas or more'),
      maxUnavailable: z
        .union([z.number().int().min(1), z.string().regex(/^[1-9]\d?%$/)])
        .default(1)
        .describe('how many pods a drain of nodes may take at a time'),
    })
    .describe('keeps a drain of nodes from taking all replicas at once'),
  monitor: z
    .strictObject({
      kind: z
        .enum(['none', 'Service', 'Pod'])
        .default('none')
        .describe('a ServiceMonitor (needs the Service) or a PodMonitor of the Prometheus operator'),
      interval: z.string().default('30s').describe('between two scrapes'),
      scrapeTimeout: z.string().default('10s').describe('of one scrape'),
      labels: texts.default({}).describe('by which your Prometheus selects it'),
    })
    .describe('how Prometheus finds the pods'),
  prometheusRule: z
    .strictObject({
      enabled: z.boolean().default(false).describe('whether there is one; its alerts are in files/alerts.yaml'),
      labels: texts.default({}).describe('by which your Prometheus selects it'),
      selector: z
        .string()
        .default('')
        .describe("the matchers that pick this release's series; when empty, by the labels namespace and pod"),
    })
    .describe('the alerts, for the Prometheus operator'),
  networkPolicy: z
    .strictObject({
      enabled: z.boolean().default(false).describe('whether there is one'),
      metricsFrom: z
        .array(kubernetesObject)
        .default([])
        .describe('who may scrape, as "from" of an ingress rule; everybody when empty'),
      egressTo: z
        .array(kubernetesObject)
        .default([])
        .describe('where the API servers are, as "to" of an egress rule; anywhere when empty'),
      egressPorts: z
        .array(z.number().int().min(1).max(65_535))
        .min(1)
        .default([443, 6443])
        .describe('ports of the API servers'),
    })
    .describe('lets in scrapes and probes, and out DNS and API servers, and nothing else'),
};

/** Where nothing but metrics is served. */
export const serviceValue = z
  .strictObject({
    enabled: z.boolean().default(true).describe('whether there is one'),
    annotations: texts.default({}).describe('put on it'),
    labels: texts.default({}).describe('put on it'),
  })
  .describe('a headless Service in front of /metrics; nothing else is served');

/** For Grafana. */
export const dashboardValue = z
  .strictObject({
    enabled: z.boolean().default(false).describe('whether there is one'),
    labels: texts.default({ grafana_dashboard: '1' }).describe('by which your Grafana finds it'),
    annotations: texts.default({}).describe('put on it: the folder in Grafana, for one'),
  })
  .describe('a ConfigMap with a dashboard (files/dashboard.json), as the side car of Grafana reads it');
