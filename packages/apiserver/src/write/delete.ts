import { badRequest } from '../api-error.ts';
import type { Handler } from '../http/call.ts';

export const deleteObject: Handler = () => {
  throw badRequest('not written yet');
};
