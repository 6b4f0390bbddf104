/** The values that the charts of the edge's apps have in common. */
import { indexSettings } from '@lifeline/edge';
import { z } from 'zod';
import { kubernetesObject } from './common-values.ts';

/** Settings where a group that may be left out is one of which everything may be: values can leave out no group. */
export const withOpenGroups = (shape: z.ZodRawShape): z.ZodRawShape =>
  Object.fromEntries(
    Object.entries(shape).map(([key, setting]) => {
      const group = setting instanceof z.ZodOptional ? setting.unwrap() : undefined;
      return [key, group instanceof z.ZodObject ? group.partial() : setting];
    }),
  );

/** Without a default in the app; the templates say that it is needed, beside whatever else is. */
export const gatewayClasses = z
  .array(z.string().min(1))
  .default([])
  .describe(`required: ${indexSettings.gatewayClasses.description ?? ''}`);

export const secretName = z
  .string()
  .default('')
  .describe('name of a Secret in the namespace of the release, made by you');

/** A certificate with its key and the authorities of its like. */
export const certificateSecret = (what: string): z.ZodObject =>
  z
    .strictObject({
      secret: secretName,
      certificate: z.string().min(1).default('tls.crt').describe('which of its entries is the chain, leaf first'),
      key: z.string().min(1).default('tls.key').describe('which of its entries is the key'),
      authority: z.string().min(1).default('ca.crt').describe('which of its entries are the authorities'),
    })
    .describe(what);

export const edgeRights = z
  .strictObject({
    create: z
      .boolean()
      .default(true)
      .describe('whether roles and bindings are made; never for a cluster that the app has a kubeconfig of'),
    stampPolicy: z
      .boolean()
      .default(true)
      .describe(
        'whether a ValidatingAdmissionPolicy narrows what the service account may change of Gateways to the annotation of the stamp; made where the retranslator runs',
      ),
  })
  .describe('what the app may do, generated from what it reads and writes (files/rights.yaml)');

/** Peers of a NetworkPolicy. */
export const peers = (what: string): z.ZodDefault<z.ZodArray<typeof kubernetesObject>> =>
  z.array(kubernetesObject).default([]).describe(what);
