import { z } from 'zod';
import { ageColumn } from '../columns.ts';
import { defineKind } from '../kind.ts';
import { fields, kubeObject, opaque } from '../schema.ts';
import { serverRules } from '../server-rules.ts';

const schema = kubeObject({
  spec: fields({
    controllerName: z.string().register(serverRules, {
      minLength: 1,
      maxLength: 253,
      default: 'networking.datumapis.com/datum-connect',
    }),
  }),
  status: opaque.nullish(),
}).register(serverRules, { description: 'Who serves the Connectors that name this class.' });

/** Who serves the Connectors that name this class. */
export type ConnectorClass = z.infer<typeof schema>;
export const ConnectorClass = defineKind<ConnectorClass>({
  group: 'networking.datumapis.com',
  version: 'v1alpha1',
  kind: 'ConnectorClass',
  plural: 'connectorclasses',
  scope: 'Cluster',
  statusSubresource: true,
  printerColumns: [{ name: 'Controller', type: 'string', jsonPath: '.spec.controllerName' }, ageColumn],
  schema,
});
