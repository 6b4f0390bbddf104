import { defaultPorts, edgeDefaults, utf8Bytes } from '@lifeline/core';
import { indexSettings, reportSettings } from '@lifeline/edge';
import { processSettings } from '@lifeline/k8s';
import { z } from 'zod';
import { isLocal, parseListenAddress } from './grpc/listen-address.ts';
import { parseAllowedName } from './tls/subject-names.ts';

/** A text that a function of ours can read: what it says of one that it cannot is what the user is told. */
const readBy = (read: (text: string) => unknown): z.ZodString =>
  z.string().superRefine((text, context) => {
    try {
      read(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
    }
  });

/** Whether others can reach it. What is no address has been said to be none. */
function isExposed(text: string): boolean {
  try {
    return !isLocal(parseListenAddress(text));
  } catch {
    return false;
  }
}

const addresses = (port: number): z.ZodDefault<z.ZodArray<z.ZodString>> =>
  z
    .array(readBy(parseListenAddress))
    .min(1)
    .default([`:${port}`]);
const names = z.array(readBy(parseAllowedName));

const tls = z
  .strictObject({
    certificate: z.string().describe('file of our certificate chain, leaf first'),
    key: z.string().describe('file of its key'),
    ca: z.string().describe('file of the authorities whose client certificates are believed'),
    hookClients: names
      .min(1)
      .describe("DNS names and URIs, one of which has to be in the certificate of who calls the hook: Envoy Gateway's"),
    reportClients: names
      .default([])
      .describe('the same for who reads the reports: the extension servers and retranslators of this edge'),
  })
  .optional();

export const config = z
  .strictObject({
    ...processSettings,
    ...indexSettings,
    tls,
    hook: z.strictObject({
      listen: addresses(defaultPorts.hook).describe(
        'where Envoy Gateway calls: host:port, :port, unix:/path; TCP that others can reach needs tls',
      ),
      concurrency: z.number().int().min(1).default(2).describe('calls that are worked on at a time; others wait'),
      messageLimitBytes: z
        .number()
        .int()
        .min(1024)
        .default(edgeDefaults.messageLimitBytes)
        .describe("of request and answer; equal to Envoy Gateway's maxMessageSize, an eighth of our memory at most"),
    }),
    report: z.strictObject({
      listen: addresses(defaultPorts.report).describe('where what was answered is reported; as hook.listen'),
    }),
    edit: z.strictObject({
      placeholderHost: z
        .string()
        .min(1)
        .default(edgeDefaults.placeholderHost)
        .describe('host that stands for "through a connector": only endpoints with it are edited'),
      internalListener: z
        .string()
        .min(1)
        .default(edgeDefaults.internalListener)
        .describe("internal listener of Envoy's bootstrap that dials the tunnel gateway"),
      offlineBody: z
        .string()
        .refine(
          (text) => utf8Bytes(text) <= edgeDefaults.offlineBodyLimitBytes,
          `Envoy takes ${edgeDefaults.offlineBodyLimitBytes} bytes at most`,
        )
        .default(edgeDefaults.offlineBody)
        .describe('body of the 503 while a connector is offline, as it is'),
      retryAfterSeconds: z
        .number()
        .int()
        .min(0)
        .default(edgeDefaults.retryAfterSeconds)
        .describe('its retry-after header'),
    }),
    withRetranslator: z
      .boolean()
      .default(true)
      .describe('run the retranslator in this process, on the same index; false where the app of its own runs'),
    reports: reportSettings,
    reflection: z.boolean().default(false).describe("serve gRPC's reflection on both ports"),
    traces: z
      .strictObject({
        endpoint: z
          .string()
          .regex(/^https?:\/\/.+[^/]$/, 'want http://host:4318 or the like, without a slash at its end')
          .describe(
            "OpenTelemetry collector that takes OTLP over HTTP, as JSON: calls' spans go to /v1/traces below it",
          ),
      })
      .optional(),
  })
  .superRefine(({ tls, hook, report }, context) => {
    if (tls) return;
    for (const [name, { listen }] of Object.entries({ hook, report }))
      for (const [at, address] of listen.entries())
        if (isExposed(address))
          context.addIssue({
            code: 'custom',
            path: [name, 'listen', at],
            message: 'others can reach it, and without tls only 127.0.0.1, [::1] and unix:/path may be listened on',
          });
  });

export type ExtensionServerConfig = z.infer<typeof config>;
