import { ApiError, notFound } from '../api-error.ts';
import type { Handler } from '../http/call.ts';
import { respondJson, respondObject } from '../http/respond.ts';
import { storedUnder } from '../resources/resource.ts';
import { scaleOf } from '../resources/scale.ts';
import { parseRevision } from './list-options.ts';
import { tooLargeRevision } from './revision-error.ts';

export const getObject: Handler = ({ store, view }, call) => {
  const { resource, namespace, name = '' } = call;
  const id = storedUnder(resource);
  const asked = call.query.get('resourceVersion') ?? '';
  if (asked !== '') {
    const seen = view.horizon(id);
    const revision = revisionOf(asked);
    if (revision > seen) throw tooLargeRevision(revision, seen);
  }
  const object = (asked === '' ? store : view).get(id, { namespace, name });
  if (!object) throw notFound({ resource, name });
  if (call.subresource === 'scale') return respondJson(call, scaleOf(resource, object));
  return respondObject(call, object);
};

/** Here, as for watches, real servers take a bad one for a fault of their own. */
export function revisionOf(text: string): number {
  try {
    return parseRevision(text);
  } catch (error) {
    throw new ApiError({ code: 500, reason: '', message: (error as RangeError).message });
  }
}
