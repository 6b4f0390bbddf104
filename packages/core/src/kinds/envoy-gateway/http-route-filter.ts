import { z } from 'zod';
import { ageColumn } from '../columns.ts';
import { defineKind } from '../kind.ts';
import { fields, int32, kubeObject, opaque } from '../schema.ts';

const schema = kubeObject({
  spec: fields({
    urlRewrite: opaque.nullish(),
    directResponse: fields({
      contentType: z.string().nullish(),
      statusCode: int32.nullish(),
      body: opaque.nullish(),
    }).nullish(),
    credentialInjection: fields({
      header: z.string().nullish(),
      overwrite: z.boolean().nullish(),
      credential: opaque.nullish(),
    }).nullish(),
  }),
});

/** A filter that HTTPRoutes name by `extensionRef`. Envoy Gateway gives it no status. */
export type HTTPRouteFilter = z.infer<typeof schema>;
export const HTTPRouteFilter = defineKind<HTTPRouteFilter>({
  group: 'gateway.envoyproxy.io',
  version: 'v1alpha1',
  kind: 'HTTPRouteFilter',
  plural: 'httproutefilters',
  scope: 'Namespaced',
  shortNames: ['hrf'],
  categories: ['envoy-gateway'],
  statusSubresource: false,
  printerColumns: [ageColumn],
  schema,
});
