import { indexSettings, reportSettings } from '@lifeline/edge';
import { processSettings } from '@lifeline/k8s';
import { z } from 'zod';

export const config = z
  .strictObject({
    ...processSettings,
    edge: z.strictObject(indexSettings),
    reports: reportSettings,
  })
  .superRefine(({ reports }, context) => {
    if (reports.service === undefined && reports.addresses.length === 0)
      context.addIssue({
        code: 'custom',
        path: ['reports'],
        message:
          'name the Service of the extension servers or their addresses: without their reports a lost call is never asked for again',
      });
  });

export type RetranslatorConfig = z.infer<typeof config>;
