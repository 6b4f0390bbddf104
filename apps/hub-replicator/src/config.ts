import { isInstallationId, leaseDefaults, replicationDefaults, defaultShards, truthNamespace } from '@lifeline/core';
import { processSettings } from '@lifeline/k8s';
import { z } from 'zod';
import { kindSettings } from './mirror/kind-setting.ts';

const modes = ['folder', 'secrets', 'projects', 'single'] as const;

const milliseconds = z.number().int().min(0);

/** What each mode cannot do without. */
const required: Readonly<Record<(typeof modes)[number], readonly (keyof z.infer<typeof projects>)[]>> = {
  folder: ['kubeconfigs'],
  secrets: ['secretNamespace', 'secretSelector'],
  projects: [],
  single: [],
};

const projects = z.strictObject({
  mode: z
    .enum(modes)
    .default('projects')
    .describe(
      'where project planes come from: a folder of kubeconfigs, Secrets, Project objects, or the hub itself (single)',
    ),
  kubeconfigs: z.string().optional().describe('folder: with a kubeconfig for each project plane, named after it'),
  kubeconfig: z
    .string()
    .optional()
    .describe('secrets, projects: kubeconfig of the control plane that holds them; in-cluster when left out'),
  secretNamespace: z.string().optional().describe('secrets: namespace of the Secrets'),
  secretSelector: z.string().optional().describe('secrets: label selector of the Secrets'),
  internal: z
    .boolean()
    .default(false)
    .describe('projects: follow ProjectControlPlanes and reach each plane by its Service inside the platform'),
  name: z.string().default('').describe('single: the name of the one cluster; empty: copies carry no cluster label'),
});

export const config = z.strictObject({
  ...processSettings,
  hub: z.strictObject({
    kubeconfig: z.string().optional().describe('kubeconfig of the hub; in-cluster when left out'),
  }),
  projects: projects.superRefine((given, context) => {
    for (const key of required[given.mode]) {
      if (given[key] === undefined)
        context.addIssue({ code: 'custom', path: [key], message: `mode ${given.mode} needs it` });
    }
  }),
  installation: z
    .string()
    .refine(isInstallationId, 'want 1 to 40 of a-z, 0-9 and "-", beginning and ending with a letter or digit')
    .optional()
    .describe('id of this installation; made and kept on the hub when left out'),
  shards: z.strictObject({
    count: z
      .number()
      .int()
      .min(1)
      .max(4096)
      .default(defaultShards)
      .describe('shards that projects are spread over; equal for all replicas'),
    namespace: z.string().default(truthNamespace).describe('hub namespace of the shard Leases'),
    name: z.string().default('hub-replicator').describe('what the names of the shard Leases begin with'),
    durationMs: z.number().int().min(5_000).default(15_000).describe('how long a silent replica is waited for'),
  }),
  kinds: kindSettings
    .default([])
    .describe('changes to the table of replicated kinds, merged over the defaults by kind'),
  gatewayControllerName: z
    .string()
    .default('gateway.networking.datumapis.com/external-global-proxy-controller')
    .describe('controllerName of policy statuses that are carried up'),
  statusPaceMs: milliseconds
    .default(replicationDefaults.statusPaceMs)
    .describe('least time between two status changes of an object that no traffic depends on'),
  connector: z.strictObject({
    leaseDurationSeconds: z
      .number()
      .int()
      .min(5)
      .max(3600)
      .default(leaseDefaults.durationSeconds)
      .describe('duration of the Leases that are made for connectors'),
  }),
  sweep: z.strictObject({
    everyMs: z.number().int().min(1_000).default(replicationDefaults.sweepMinAgeMs).describe('time between two sweeps'),
    minAgeMs: milliseconds
      .default(replicationDefaults.sweepMinAgeMs)
      .describe('a project must have been gone for this long'),
    maxDeletions: z
      .number()
      .int()
      .min(1)
      .default(replicationDefaults.sweepMaxDeletions)
      .describe('at most so many deletions per sweep'),
    believeEmpty: z
      .array(z.string())
      .default([])
      .describe(
        'projects that are gone, or whose planes are empty, although it does not look so: their copies are swept',
      ),
    dryRun: z.boolean().default(false).describe('count what a sweep would delete, and delete nothing'),
  }),
});

export type ReplicatorConfig = z.infer<typeof config>;
