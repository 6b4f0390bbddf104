/** What Gateway API does to a request or a response on its way. HTTPProxy takes the same. */
import { z } from 'zod';
import { fields, int32, opaque } from '../schema.ts';
import { serverRules } from '../server-rules.ts';

const header = fields({
  name: z.string().register(serverRules, { minLength: 1, maxLength: 256 }),
  value: z.string().register(serverRules, { maxLength: 4096 }),
});
const headers = z.array(header).register(serverRules, { maxItems: 16 });

const headerModifier = fields({
  set: headers.nullish(),
  add: headers.nullish(),
  remove: z.array(z.string()).register(serverRules, { maxItems: 16 }).nullish(),
});

const pathModifier = fields({
  type: z.string().register(serverRules, { enum: ['ReplaceFullPath', 'ReplacePrefixMatch'] }),
  replaceFullPath: z.string().register(serverRules, { maxLength: 1024 }).nullish(),
  replacePrefixMatch: z.string().register(serverRules, { maxLength: 1024 }).nullish(),
});

/** `type` names the one other field that counts. */
export const httpFilterSchema = fields({
  type: z.string().register(serverRules, { minLength: 1, maxLength: 64 }),
  requestHeaderModifier: headerModifier.nullish(),
  responseHeaderModifier: headerModifier.nullish(),
  requestRedirect: fields({
    scheme: z.string().nullish(),
    hostname: z.string().nullish(),
    path: pathModifier.nullish(),
    port: int32.nullish(),
    statusCode: int32.nullish(),
  })
    .register(serverRules, { open: true })
    .nullish(),
  urlRewrite: fields({ hostname: z.string().nullish(), path: pathModifier.nullish() }).nullish(),
  requestMirror: opaque.nullish(),
  cors: opaque.nullish(),
  extensionRef: fields({ group: z.string(), kind: z.string(), name: z.string() }).nullish(),
}).register(serverRules, { open: true });
