import type { Handler } from '../http/call.ts';
import { respondObject } from '../http/respond.ts';
import { inNamespace } from './agree-with-path.ts';
import { decodeBody } from './decode-body.ts';
import { create } from './operations.ts';
import { withWarnings } from './warnings.ts';
import { readWriteOptions } from './write-options.ts';
import { callerAsWriter } from './writer.ts';

export const createObject: Handler = (server, call) => {
  const { query } = call;
  const options = readWriteOptions(query, 'CreateOptions');
  const writer = callerAsWriter(call, options);
  const { warnings } = writer;
  const { fieldValidation } = options;
  const created = withWarnings(warnings, () => {
    const object = inNamespace(call, decodeBody(server, call, { fieldValidation, warnings }));
    return create(server, call, { object, writer });
  });
  return respondObject(call, created, { code: 201, headers: warnings.headers });
};
