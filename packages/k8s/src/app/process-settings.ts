import { z } from 'zod';

/** The settings that every app has; spread them into its schema. */
export const processSettings = {
  logLevel: z.enum(['debug', 'info', 'warn', 'error']).default('info').describe('least level that is logged'),
  healthPort: z.number().int().min(0).max(65_535).default(8081).describe('port of /livez and /readyz'),
  metricsPort: z.number().int().min(0).max(65_535).default(8080).describe('port of /metrics'),
  shutdownMs: z.number().int().min(1_000).default(30_000).describe('an orderly stop takes at most this long'),
};
