import { z } from 'zod';
import { ageColumn, conditionColumn } from '../columns.ts';
import { conditionsSchema } from '../condition.ts';
import { defineKind } from '../kind.ts';
import { fields, kubeObject, opaque, time } from '../schema.ts';

const secretRef = fields({ namespace: z.string(), name: z.string() });

const schema = kubeObject({
  spec: fields({
    id: z.string().nullish(),
    syncMode: z.string(),
    apiEndpoint: z.string().nullish(),
    secretRef: secretRef.nullish(),
    impersonatorSecretRef: secretRef.nullish(),
    insecureSkipTLSVerification: z.boolean().nullish(),
    proxyURL: z.string().nullish(),
    provider: z.string().nullish(),
    region: z.string().nullish(),
    zones: z.array(z.string()).nullish(),
    taints: z
      .array(fields({ key: z.string(), value: z.string().nullish(), effect: z.string(), timeAdded: time.nullish() }))
      .nullish(),
  }),
  status: fields({
    kubernetesVersion: z.string().nullish(),
    /** What the cluster serves. A group and version that is missing here gets no new objects. */
    apiEnablements: z
      .array(
        fields({
          groupVersion: z.string(),
          resources: z.array(fields({ name: z.string(), kind: z.string() })).nullish(),
        }),
      )
      .nullish(),
    conditions: conditionsSchema.nullish(),
    nodeSummary: opaque.nullish(),
    resourceSummary: opaque.nullish(),
  }).nullish(),
});

/** A member of the federation. Karmada's `Cluster`; a real hub serves it from an aggregated API server, without a CRD. */
export type KarmadaCluster = z.infer<typeof schema>;
export const KarmadaCluster = defineKind<KarmadaCluster>({
  group: 'cluster.karmada.io',
  version: 'v1alpha1',
  kind: 'Cluster',
  plural: 'clusters',
  scope: 'Cluster',
  statusSubresource: true,
  printerColumns: [
    { name: 'Version', type: 'string', jsonPath: '.status.kubernetesVersion' },
    { name: 'Mode', type: 'string', jsonPath: '.spec.syncMode' },
    conditionColumn('Ready'),
    ageColumn,
  ],
  schema,
});
