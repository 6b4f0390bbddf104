/** The values of `charts/hub-replicator`. */
import { config } from '@lifeline/hub-replicator';
import { z } from 'zod';
import {
  dashboardValue,
  heapPercent,
  identityValues,
  kubernetesObject,
  podPort,
  podValues,
  serviceAccountValue,
  serviceValue,
  surroundingValues,
} from './common-values.ts';

const kubeconfigOf = (what: string) =>
  z
    .strictObject({
      secret: z.string().default('').describe('name of a Secret in the namespace of the release, made by you'),
      key: z.string().min(1).default('kubeconfig').describe('which of its entries is the kubeconfig'),
    })
    .describe(what);

export const replicatorValues = z.strictObject({
  ...identityValues,
  replicas: z
    .number()
    .int()
    .min(0)
    .default(2)
    .describe(
      'each looks after some of the shards. Two or more, so that the shards of one that is lost are held again within shards.durationMs and 5 s; 0 stops all work',
    ),
  config: z
    .strictObject({
      ...config.shape,
      healthPort: podPort(config.shape.healthPort),
      metricsPort: podPort(config.shape.metricsPort),
    })
    .describe(
      'the settings of the app, in the very form in which it reads them: this is its configuration file. The paths of kubeconfigs are filled in from "kubeconfigs" below',
    ),
  kubeconfigs: z
    .strictObject({
      hub: kubeconfigOf("of the hub; without one the hub is this release's own cluster"),
      controlPlane: kubeconfigOf(
        "modes secrets and projects: of the control plane that holds them; without one it is this release's own cluster",
      ),
      projects: z
        .strictObject({
          secret: z
            .string()
            .default('')
            .describe(
              'name of a Secret in the namespace of the release, made by you; its entries are files: one.kubeconfig',
            ),
        })
        .describe('mode folder: of the project planes, one entry each, named after the project'),
    })
    .describe(
      'where the credentials of other clusters are: Secrets are only named here, never given. Those of project planes are followed; the other two are read at the start, and token and certificate files that they name are followed',
    ),
  rights: z
    .strictObject({
      create: z.boolean().default(true).describe('whether roles and bindings are made'),
      only: z
        .enum(['', 'hub', 'project', 'controlPlane'])
        .default('')
        .describe(
          'empty: the app, and the rights that it needs of the cluster that it runs in. Else nothing but the rights that it needs of that plane, to be installed there',
        ),
      subjects: z
        .array(kubernetesObject)
        .default([])
        .describe(
          'with only: who the app is on that plane, as in a RoleBinding: [{kind: User, name: …, apiGroup: rbac.authorization.k8s.io}]',
        ),
    })
    .describe('what the app may do, generated from what its controllers declare (files/rights.yaml)'),
  serviceAccount: serviceAccountValue,
  resources: kubernetesObject
    .default({ requests: { cpu: '250m', memory: '512Mi' }, limits: { memory: '2Gi' } })
    .describe(
      'as in a Container. Memory: some 150 MiB, 0.5 MiB for each project plane and 10 KiB for each connector; every replica keeps all copies on the hub. No limit on CPU: one that throttles it makes shards move',
    ),
  heapPercent: heapPercent(70),
  ...podValues,
  service: serviceValue,
  ...surroundingValues,
  dashboard: dashboardValue,
});
