/** How Gateway API objects and the policies attached to them name other objects. */
import { z } from 'zod';
import { fields, int32 } from '../schema.ts';

/** The Gateway (by default) that a route attaches to. */
export const parentReference = fields({
  group: z.string().nullish(),
  kind: z.string().nullish(),
  namespace: z.string().nullish(),
  name: z.string(),
  sectionName: z.string().nullish(),
  port: int32.nullish(),
});

/** What a policy applies to, in its own namespace. */
export const policyTargetReference = fields({
  group: z.string(),
  kind: z.string(),
  name: z.string(),
  sectionName: z.string().nullish(),
});

/** An object of any namespace and kind; `group` and `kind` default by field. */
export const objectReference = fields({
  group: z.string().nullish(),
  kind: z.string().nullish(),
  namespace: z.string().nullish(),
  name: z.string(),
});

/** Where a route sends traffic. Default kind: Service. */
export const backendReference = fields({
  ...objectReference.shape,
  port: int32.nullish(),
  weight: int32.nullish(),
});
