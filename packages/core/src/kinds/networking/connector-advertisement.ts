import { z } from 'zod';
import { ageColumn, conditionColumn } from '../columns.ts';
import { conditionsSchema, initialStatus } from '../condition.ts';
import { defineKind } from '../kind.ts';
import { fields, int32, kubeObject } from '../schema.ts';
import { serverRules } from '../server-rules.ts';

const port = fields({
  name: z.string(),
  port: int32.clone().register(serverRules, { minimum: 1, maximum: 65_535 }),
  protocol: z.string().register(serverRules, { default: 'TCP' }).nullish(),
});

const service = fields({
  /** IP address, DNS name or DNS wildcard. */
  address: z.string().register(serverRules, { minLength: 1, maxLength: 253 }),
  ports: z.array(port).register(serverRules, { minItems: 1, maxItems: 16 }),
});

const schema = kubeObject({
  spec: fields({
    connectorRef: fields({ name: z.string().register(serverRules, { minLength: 1, maxLength: 253 }) }),
    layer4: z
      .array(
        fields({
          name: z.string(),
          services: z.array(service).register(serverRules, { minItems: 1, maxItems: 16 }),
        }),
      )
      .register(serverRules, { maxItems: 16 })
      .nullish(),
  }),
  status: fields({ conditions: conditionsSchema.nullish() })
    .register(serverRules, { default: initialStatus({ type: 'Accepted' }) })
    .nullish(),
}).register(serverRules, { description: 'What a Connector says it can reach. Nothing routes by it.' });

/** What a Connector says it can reach. Bookkeeping: nothing routes by it, and it is not replicated. */
export type ConnectorAdvertisement = z.infer<typeof schema>;
export const ConnectorAdvertisement = defineKind<ConnectorAdvertisement>({
  group: 'networking.datumapis.com',
  version: 'v1alpha1',
  kind: 'ConnectorAdvertisement',
  plural: 'connectoradvertisements',
  scope: 'Namespaced',
  statusSubresource: true,
  listMapKeys: {
    'spec.layer4': ['name'],
    'spec.layer4[].services[].ports': ['name'],
    'status.conditions': ['type'],
  },
  printerColumns: [
    { name: 'Connector', type: 'string', jsonPath: '.spec.connectorRef.name' },
    conditionColumn('Accepted'),
    ageColumn,
  ],
  selectableFields: ['.spec.connectorRef.name'],
  crdAnnotations: { 'discovery.miloapis.com/parent-contexts': 'Project' },
  schema,
});
