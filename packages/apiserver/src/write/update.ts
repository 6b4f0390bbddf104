import type { Handler } from '../http/call.ts';
import { respondObject } from '../http/respond.ts';
import { inNamespace, refuseOtherName } from './agree-with-path.ts';
import { decodeBody } from './decode-body.ts';
import { update } from './operations.ts';
import { withoutDuplicateOwners } from './owner-references.ts';
import { updateScale } from './scale.ts';
import { withWarnings } from './warnings.ts';
import { readWriteOptions } from './write-options.ts';
import { callerAsWriter } from './writer.ts';

export const updateObject: Handler = (server, call) => {
  if (call.subresource === 'scale') return updateScale(server, call);
  const options = readWriteOptions(call.query, 'UpdateOptions');
  const writer = callerAsWriter(call, options);
  const { warnings } = writer;
  const { fieldValidation } = options;
  const { name = '', namespace } = call;
  const { object: updated, created } = withWarnings(warnings, () => {
    const sent = inNamespace(call, decodeBody(server, call, { fieldValidation, warnings }));
    refuseOtherName(call, sent);
    const object = withoutDuplicateOwners(sent, 'sent', warnings);
    const uid = object.metadata.uid || undefined;
    return update(server, call, { name: { name, namespace }, change: () => object, uid, writer });
  });
  return respondObject(call, updated, { code: created ? 201 : 200, headers: warnings.headers });
};
