/** Which fields the objects of a chart may have: of Kubernetes' own kinds by its published models, of others by what we use of them. */
import * as models from '@kubernetes/client-node';
import { z } from 'zod';
import type { Manifest } from './helm.fixture.ts';

interface Attribute {
  readonly baseName: string;
  readonly type: string;
}
interface Model {
  getAttributeTypeMap(): readonly Attribute[];
}

const labels = z.record(z.string(), z.string());
const metadata = z.strictObject({ name: z.string(), namespace: z.string(), labels });
const monitored = z.strictObject({ port: z.string(), interval: z.string(), scrapeTimeout: z.string() });
const selector = z.strictObject({ matchLabels: labels });
const monitor = (kind: string, endpoints: string): z.ZodType =>
  z.strictObject({
    apiVersion: z.literal('monitoring.coreos.com/v1'),
    kind: z.literal(kind),
    metadata,
    spec: z.strictObject({ selector, [endpoints]: z.array(monitored).min(1) }),
  });

/**
 * @see prometheus-operator/prometheus-operator@v0.85.0 Documentation/api-reference/api.md
 * @see envoyproxy/gateway@v1.9.1 api/v1alpha1/envoyproxy_types.go
 */
const others: Readonly<Record<string, z.ZodType>> = {
  ServiceMonitor: monitor('ServiceMonitor', 'endpoints'),
  PodMonitor: monitor('PodMonitor', 'podMetricsEndpoints'),
  EnvoyProxy: z.strictObject({
    apiVersion: z.literal('gateway.envoyproxy.io/v1alpha1'),
    kind: z.literal('EnvoyProxy'),
    metadata,
    spec: z.strictObject({
      mergeGateways: z.boolean(),
      bootstrap: z.strictObject({ type: z.literal('Merge'), value: z.string() }),
    }),
  }),
  PrometheusRule: z.strictObject({
    apiVersion: z.literal('monitoring.coreos.com/v1'),
    kind: z.literal('PrometheusRule'),
    metadata,
    spec: z.strictObject({
      groups: z.array(
        z.strictObject({
          name: z.string(),
          rules: z.array(
            z.strictObject({ alert: z.string(), expr: z.string(), for: z.string(), labels, annotations: labels }),
          ),
        }),
      ),
    }),
  }),
};

/** What is wrong with an object, a line each: fields that its kind does not have, values of another type. */
export function faultsOf(object: Manifest): readonly string[] {
  const schema = others[object.kind ?? ''];
  if (schema)
    return schema.safeParse(object).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
  return modelFaults(object, `V1${object.kind}`, '');
}

function modelFaults(value: unknown, type: string, path: string): string[] {
  const [, item] = /^Array<(.*)>$/.exec(type) ?? /^Set<(.*)>$/.exec(type) ?? [];
  if (item !== undefined)
    return Array.isArray(value)
      ? value.flatMap((one, index) => modelFaults(one, item, `${path}[${index}]`))
      : [`${path}: want a list`];
  const [, entry] = /^\{ \[key: string\]: (.*); \}$/.exec(type) ?? [];
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : undefined;
  if (entry !== undefined && Array.isArray(value)) return [`${path}: want a map`];
  if (entry !== undefined)
    return fields?.flatMap(([key, one]) => modelFaults(one, entry, `${path}.${key}`)) ?? [`${path}: want a map`];
  const model = (models as unknown as Readonly<Record<string, Model | undefined>>)[type];
  if (model === undefined || !/^V\d/.test(type)) return scalarFaults(value, type, path);
  if (!fields) return [`${path}: want a ${type}`];
  const attributes = new Map(model.getAttributeTypeMap().map((attribute) => [attribute.baseName, attribute.type]));
  return fields.flatMap(([key, one]) => {
    const of = attributes.get(key);
    return of === undefined ? [`${path}.${key}: ${type} has no such field`] : modelFaults(one, of, `${path}.${key}`);
  });
}

function scalarFaults(value: unknown, type: string, path: string): string[] {
  const wanted =
    type === 'IntOrString' ? ['number', 'string'] : ['string', 'number', 'boolean'].filter((one) => one === type);
  if (/^V\d/.test(type)) return [`${path}: there is no ${type}`];
  return wanted.length === 0 || wanted.includes(typeof value)
    ? []
    : [`${path}: want a ${type}, not ${JSON.stringify(value)}`];
}
