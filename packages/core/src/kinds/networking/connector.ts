import { z } from 'zod';
import { conditionColumn, ageColumn } from '../columns.ts';
import { conditionsSchema, initialStatus } from '../condition.ts';
import { defineKind } from '../kind.ts';
import { fields, int32, kubeObject } from '../schema.ts';
import { serverRules } from '../server-rules.ts';

const capabilityType = z.string().register(serverRules, { minLength: 1, maxLength: 253 });

const publicKey = fields({
  /** 64 hex digits or 52 z-base-32 characters, when usable; the schema promises nothing. */
  id: z.string().nullish(),
  discoveryMode: z
    .string()
    .register(serverRules, { enum: ['DNS'], default: 'DNS' })
    .nullish(),
  homeRelay: z
    .string()
    .register(serverRules, { cel: [{ rule: 'isURL(self)', message: 'homeRelay must be a URL' }] })
    .nullish(),
  addresses: z
    .array(
      fields({
        address: z.string().register(serverRules, {
          maxLength: 39,
          cel: [{ rule: 'isIP(self)', message: 'address must be an IP address' }],
        }),
        port: int32.nullish().register(serverRules, { minimum: 1, maximum: 65_535 }),
      }).register(serverRules, { required: ['port'] }),
    )
    .register(serverRules, { maxItems: 16 })
    .nullish(),
}).register(serverRules, { required: ['homeRelay', 'addresses'] });

const connectionDetails = fields({
  /** Only `PublicKey` can be dialled. Other types may come: they are carried, and are not online. */
  type: z.string().register(serverRules, { enum: ['PublicKey'] }),
  publicKey: publicKey.nullish(),
}).register(serverRules, {
  cel: [
    {
      rule: "self.type == 'PublicKey' || !has(self.publicKey)",
      message: 'publicKey is only for type PublicKey',
    },
    { rule: "self.type != 'PublicKey' || has(self.publicKey)", message: 'type PublicKey needs publicKey' },
  ],
});

const schema = kubeObject({
  spec: fields({
    connectorClassName: z.string().register(serverRules, { minLength: 1 }),
    capabilities: z
      .array(fields({ type: capabilityType, connectTCP: fields({ disabled: z.boolean().nullish() }).nullish() }))
      .register(serverRules, { maxItems: 16 })
      .nullish(),
  }),
  status: fields({
    conditions: conditionsSchema.nullish(),
    capabilities: z.array(fields({ type: capabilityType, conditions: conditionsSchema.nullish() })).nullish(),
    connectionDetails: connectionDetails.nullish(),
    leaseRef: fields({ name: z.string().register(serverRules, { default: '' }) }).nullish(),
  })
    .register(serverRules, { default: initialStatus({ type: 'Accepted' }) })
    .nullish(),
}).register(serverRules, {
  description: 'A tunnel agent in a customer network. Its conditions say whether traffic can be sent through it.',
});

/** An agent in a customer's network that services are published through. Conditions: `Accepted`, `Ready`. */
export type Connector = z.infer<typeof schema>;
export const Connector = defineKind<Connector>({
  group: 'networking.datumapis.com',
  version: 'v1alpha1',
  kind: 'Connector',
  plural: 'connectors',
  scope: 'Namespaced',
  statusSubresource: true,
  listMapKeys: {
    'spec.capabilities': ['type'],
    'status.conditions': ['type'],
    'status.capabilities': ['type'],
    'status.capabilities[].conditions': ['type'],
  },
  printerColumns: [
    { name: 'Class', type: 'string', jsonPath: '.spec.connectorClassName' },
    conditionColumn('Ready'),
    conditionColumn('Ready', 'reason', { name: 'Reason', priority: 1 }),
    ageColumn,
  ],
  selectableFields: ['.status.connectionDetails.publicKey.id'],
  crdAnnotations: { 'discovery.miloapis.com/parent-contexts': 'Project' },
  schema,
});
