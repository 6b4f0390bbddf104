import type { Handler } from '../http/call.ts';
import { respondObject } from '../http/respond.ts';
import { inNamespace, refuseOtherName } from './agree-with-path.ts';
import { decodeBody } from './decode-body.ts';
import { update } from './operations.ts';
import { updateScale } from './scale.ts';
import { readWriteOptions } from './write-options.ts';
import { callerAsWriter } from './writer.ts';

export const updateObject: Handler = (server, call) => {
  if (call.subresource === 'scale') return updateScale(server, call);
  const options = readWriteOptions(call.query, 'UpdateOptions');
  const writer = callerAsWriter(call, options);
  const { fieldValidation } = options;
  const object = inNamespace(call, decodeBody(server, call, { fieldValidation, warnings: writer.warnings }));
  refuseOtherName(call, object);
  const { name = '', namespace } = call;
  const uid = object.metadata.uid || undefined;
  const { object: updated, created } = update(server, call, {
    name: { name, namespace },
    change: () => object,
    uid,
    writer,
  });
  return respondObject(call, updated, { code: created ? 201 : 200, headers: writer.warnings.headers });
};
