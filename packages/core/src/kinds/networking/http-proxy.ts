import { z } from 'zod';
import { ageColumn, conditionColumn } from '../columns.ts';
import { conditionsSchema, initialStatus } from '../condition.ts';
import { httpFilterSchema } from '../gateway/http-filter.ts';
import { httpMatchSchema } from '../gateway/http-match.ts';
import { defineKind } from '../kind.ts';
import { fields, int32, kubeObject } from '../schema.ts';
import { serverRules } from '../server-rules.ts';

const hostname = z.string().register(serverRules, {
  minLength: 1,
  maxLength: 253,
  pattern: '^(\\*\\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
});

const filters = z.array(httpFilterSchema).register(serverRules, {
  maxItems: 16,
  cel: [
    {
      rule: "!self.exists(f, f.type == 'RequestRedirect') || !self.exists(f, f.type == 'URLRewrite')",
      message: 'RequestRedirect and URLRewrite exclude each other',
    },
    {
      rule: "['RequestHeaderModifier', 'ResponseHeaderModifier', 'RequestRedirect', 'URLRewrite'].all(t, self.filter(f, f.type == t).size() <= 1)",
      message: 'header modifiers, RequestRedirect and URLRewrite may stand once each',
    },
  ],
});

const backend = fields({
  /** `scheme://host[:port]`: the target, behind the tunnel when there is a connector. */
  endpoint: z.string().nullish(),
  connector: fields({ name: z.string().register(serverRules, { minLength: 1, maxLength: 253 }) }).nullish(),
  instance: fields({
    name: z.string().register(serverRules, { minLength: 1, maxLength: 253 }),
    port: int32.clone().register(serverRules, { minimum: 1, maximum: 65_535 }),
  }).nullish(),
  /** The name that the target's certificate must have; by default the endpoint's host. */
  tls: fields({
    hostname: z.string().register(serverRules, { minLength: 1, maxLength: 253 }).nullish(),
  }).nullish(),
  filters: filters.nullish(),
}).register(serverRules, {
  cel: [
    {
      rule: 'has(self.instance) ? !has(self.endpoint) && !has(self.connector) : has(self.endpoint)',
      message: 'a backend is an instance, or an endpoint with or without a connector',
    },
  ],
});

/** CEL: `list` holds a filter that replaces the matched path prefix. */
const replacesPrefix = (list: string): string =>
  `${list}.exists(f, ` +
  "(has(f.urlRewrite) && has(f.urlRewrite.path) && f.urlRewrite.path.type == 'ReplacePrefixMatch') || " +
  "(has(f.requestRedirect) && has(f.requestRedirect.path) && f.requestRedirect.path.type == 'ReplacePrefixMatch'))";

const onePrefixMatch =
  "has(self.matches) && size(self.matches) == 1 && has(self.matches[0].path) && self.matches[0].path.type == 'PathPrefix'";

const rule = fields({
  name: z
    .string()
    .register(serverRules, {
      minLength: 1,
      maxLength: 253,
      pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
    })
    .nullish(),
  matches: z
    .array(httpMatchSchema)
    .register(serverRules, { minItems: 1, maxItems: 64, default: [{ path: { type: 'PathPrefix', value: '/' } }] })
    .nullish(),
  filters: filters.nullish(),
  // The Go system allows one. Weighted routes over several connectors need more, and every consumer of ours reads a list.
  backends: z.array(backend).register(serverRules, { maxItems: 16 }).nullish(),
}).register(serverRules, {
  cel: [
    {
      rule: "!has(self.backends) || size(self.backends) == 0 || !has(self.filters) || !self.filters.exists(f, f.type == 'RequestRedirect')",
      message: 'a rule that redirects has no backends',
    },
    {
      rule: `!has(self.filters) || !${replacesPrefix('self.filters')} || (${onePrefixMatch})`,
      message: 'ReplacePrefixMatch needs exactly one match, a PathPrefix',
    },
    {
      rule: `!has(self.backends) || !self.backends.exists(b, has(b.filters) && ${replacesPrefix('b.filters')}) || (${onePrefixMatch})`,
      message: 'ReplacePrefixMatch in a backend needs exactly one match, a PathPrefix',
    },
  ],
});

const schema = kubeObject({
  spec: fields({
    hostnames: z.array(hostname).register(serverRules, { maxItems: 16 }).nullish(),
    rules: z.array(rule).register(serverRules, {
      minItems: 1,
      maxItems: 16,
      cel: [
        {
          rule: 'self.all(r, !has(r.name) || self.exists_one(other, has(other.name) && other.name == r.name))',
          message: 'rule names must be unique',
        },
        {
          rule: 'self.map(r, has(r.matches) ? size(r.matches) : 0).sum() <= 128',
          message: 'all rules together may have 128 matches',
        },
      ],
    }),
  }),
  status: fields({
    addresses: z.array(fields({ type: z.string().nullish(), value: z.string() })).nullish(),
    hostnames: z.array(z.string()).nullish(),
    canonicalHostname: z.string().nullish(),
    hostnameStatuses: z.array(fields({ hostname: z.string(), conditions: conditionsSchema.nullish() })).nullish(),
    conditions: conditionsSchema.nullish(),
  })
    .register(serverRules, { open: true, default: initialStatus({ type: 'Accepted' }, { type: 'Programmed' }) })
    .nullish(),
}).register(serverRules, { description: 'A reverse proxy: host names, and where their requests go.' });

/**
 * A reverse proxy. Another controller makes a Gateway and an HTTPRoute of its namespace and name from it; rule and backend indexes are
 * the same there.
 */
export type HTTPProxy = z.infer<typeof schema>;
export const HTTPProxy = defineKind<HTTPProxy>({
  group: 'networking.datumapis.com',
  version: 'v1alpha',
  kind: 'HTTPProxy',
  plural: 'httpproxies',
  scope: 'Namespaced',
  statusSubresource: true,
  listMapKeys: {
    'status.conditions': ['type'],
    'status.hostnameStatuses': ['hostname'],
    'status.hostnameStatuses[].conditions': ['type'],
  },
  printerColumns: [
    { name: 'Hostname', type: 'string', jsonPath: '.status.hostnames[*]' },
    conditionColumn('Programmed'),
    ageColumn,
  ],
  crdAnnotations: { 'discovery.miloapis.com/parent-contexts': 'Project' },
  schema,
});
