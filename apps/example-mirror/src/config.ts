import { processSettings } from '@lifeline/k8s';
import { z } from 'zod';

export const config = z.strictObject({
  ...processSettings,
  sources: z.strictObject({
    kubeconfigs: z.string().describe('folder with a kubeconfig for each source plane, named after it'),
  }),
  target: z.strictObject({
    kubeconfig: z.string().optional().describe('kubeconfig of the target plane; in-cluster when left out'),
    namespace: z.string().default('mirrors').describe('namespace in the target plane that holds the copies'),
  }),
  leaderElection: z.strictObject({
    namespace: z.string().default('mirrors').describe('namespace of the Lease in the target plane'),
    name: z.string().default('example-mirror').describe('name of the Lease'),
    durationMs: z.number().int().min(1_000).default(15_000).describe('how long a silent leader is waited for'),
  }),
});

export type MirrorConfig = z.infer<typeof config>;
