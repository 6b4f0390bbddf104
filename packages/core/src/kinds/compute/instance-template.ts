/** What an instance is made of: the spec of Instances, and of the templates in Workloads and WorkloadDeployments. */
import { z } from 'zod';
import { locationReference } from '../networking/location.ts';
import { fields, int32, opaque, quantity, stringMap } from '../schema.ts';
import { serverRules } from '../server-rules.ts';

/** @see kubernetes/apimachinery@v0.36.3 pkg/api/resource/quantity.go: the pattern that CRDs give quantities */
const amounts = z.record(
  z.string(),
  z.union(quantity.options).register(serverRules, {
    pattern:
      '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
  }),
);

const ports = z.array(
  fields({
    name: z.string(),
    port: int32.clone().register(serverRules, { minimum: 1, maximum: 65_535 }),
    protocol: z.string().nullish(),
  }),
);

const volumeAttachments = z.array(fields({ name: z.string(), mountPath: z.string().nullish() }));

const container = fields({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()).nullish(),
  args: z.array(z.string()).nullish(),
  env: z.array(fields({ name: z.string(), value: z.string().nullish(), valueFrom: opaque.nullish() })).nullish(),
  envFrom: z.array(opaque).nullish(),
  resources: fields({ limits: amounts.nullish(), requests: amounts.nullish() }).nullish(),
  volumeAttachments: volumeAttachments.nullish(),
  ports: ports.nullish(),
}).register(serverRules, { open: true });

/** A sandbox with containers, or a virtual machine. */
const runtime = fields({
  resources: fields({ instanceType: z.string(), requests: amounts.nullish() }),
  sandbox: fields({
    containers: z.array(container).register(serverRules, { minItems: 1 }),
    imagePullSecrets: z.array(fields({ name: z.string().nullish() })).nullish(),
  })
    .register(serverRules, { open: true })
    .nullish(),
  virtualMachine: fields({
    volumeAttachments: z.array(fields(volumeAttachments.element.shape)).register(serverRules, { minItems: 1 }),
    ports: ports.nullish(),
  })
    .register(serverRules, { open: true })
    .nullish(),
}).register(serverRules, { open: true });

const networkInterface = fields({
  network: fields({ name: z.string(), namespace: z.string().nullish() }),
  networkPolicy: opaque.nullish(),
}).register(serverRules, { open: true });

const volume = fields({
  name: z.string(),
  disk: fields({
    deviceName: z.string().nullish(),
    template: fields({
      metadata: opaque.nullish(),
      spec: fields({
        type: z.string().register(serverRules, { default: 'pd-standard' }).nullish(),
        populator: opaque.nullish(),
        resources: fields({ requests: amounts.nullish() }).nullish(),
      }).register(serverRules, { open: true }),
    }),
  })
    .register(serverRules, { open: true })
    .nullish(),
  configMap: opaque.nullish(),
  secret: opaque.nullish(),
}).register(serverRules, { open: true });

export const instanceSpecSchema = fields({
  runtime,
  networkInterfaces: z.array(networkInterface).register(serverRules, { minItems: 1 }),
  volumes: z.array(volume).nullish(),
  location: locationReference.nullish(),
  /** Set by the controller that makes the Instance; absent in templates. */
  controller: fields({
    templateHash: z.string(),
    /** A provider starts nothing before this list is empty. */
    schedulingGates: z.array(fields({ name: z.string() })).nullish(),
  })
    .register(serverRules, { open: true })
    .nullish(),
}).register(serverRules, { open: true });

export const instanceTemplateSchema = fields({
  metadata: fields({ labels: stringMap.nullish(), annotations: stringMap.nullish() })
    .register(serverRules, { open: true })
    .nullish(),
  spec: instanceSpecSchema,
});
export type InstanceTemplate = z.infer<typeof instanceTemplateSchema>;
