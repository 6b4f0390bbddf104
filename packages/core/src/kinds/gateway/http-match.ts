/** How Gateway API matches an HTTP request. HTTPProxy takes the same. */
import { z } from 'zod';
import { fields } from '../schema.ts';
import { serverRules } from '../server-rules.ts';

const namedValue = fields({
  name: z.string().register(serverRules, { minLength: 1, maxLength: 256 }),
  value: z.string().register(serverRules, { minLength: 1, maxLength: 4096 }),
  type: z
    .string()
    .register(serverRules, { enum: ['Exact', 'RegularExpression'], default: 'Exact' })
    .nullish(),
});
const namedValues = z.array(namedValue).register(serverRules, { maxItems: 16 });

/** All that is given must hold. Nothing given: any request. */
export const httpMatchSchema = fields({
  path: fields({
    type: z
      .string()
      .register(serverRules, { enum: ['Exact', 'PathPrefix', 'RegularExpression'], default: 'PathPrefix' })
      .nullish(),
    value: z.string().register(serverRules, { maxLength: 1024, default: '/' }).nullish(),
  })
    .register(serverRules, { default: { type: 'PathPrefix', value: '/' } })
    .nullish(),
  headers: namedValues.nullish(),
  queryParams: namedValues.nullish(),
  method: z.string().register(serverRules, { maxLength: 16 }).nullish(),
}).register(serverRules, { open: true });
