import { z } from 'zod';
import { ageColumn } from '../columns.ts';
import { conditionsSchema } from '../condition.ts';
import { defineKind } from '../kind.ts';
import { fields, kubeObject, opaque } from '../schema.ts';
import { httpFilterSchema } from './http-filter.ts';
import { httpMatchSchema } from './http-match.ts';
import { backendReference, parentReference } from './references.ts';

const filters = z.array(httpFilterSchema);

const schema = kubeObject({
  spec: fields({
    parentRefs: z.array(parentReference).nullish(),
    hostnames: z.array(z.string()).nullish(),
    rules: z
      .array(
        fields({
          name: z.string().nullish(),
          matches: z.array(httpMatchSchema).nullish(),
          filters: filters.nullish(),
          backendRefs: z.array(fields({ ...backendReference.shape, filters: filters.nullish() })).nullish(),
          timeouts: opaque.nullish(),
        }),
      )
      .nullish(),
  }),
  status: fields({
    parents: z
      .array(
        fields({
          parentRef: parentReference,
          controllerName: z.string(),
          conditions: conditionsSchema.nullish(),
        }),
      )
      .nullish(),
  }).nullish(),
});

/** Which requests of a Gateway go where. */
export type HTTPRoute = z.infer<typeof schema>;
export const HTTPRoute = defineKind<HTTPRoute>({
  group: 'gateway.networking.k8s.io',
  version: 'v1',
  kind: 'HTTPRoute',
  plural: 'httproutes',
  scope: 'Namespaced',
  categories: ['gateway-api'],
  versions: ['v1', 'v1beta1'],
  statusSubresource: true,
  listMapKeys: { 'status.parents[].conditions': ['type'] },
  printerColumns: [{ name: 'Hostnames', type: 'string', jsonPath: '.spec.hostnames' }, ageColumn],
  schema,
});
