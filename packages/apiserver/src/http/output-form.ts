/** How a client wants its answer, from all that says so. */
import type { TransportRequest } from '@lifeline/core';
import { ApiError } from '../api-error.ts';
import type { Resource } from '../resources/resource.ts';
import { builtinTypes, namesKnownType, negotiate, type OutputForm, plainJson } from './negotiate.ts';

/** @throws ApiError 406 in the words of a real server */
export function outputForm(
  { headers }: TransportRequest,
  query: URLSearchParams,
  resource: Pick<Resource, 'decoding'>,
): OutputForm {
  const { accept } = headers;
  const form = negotiate(accept);
  if (form) return wantsPretty(headers['user-agent'], query) ? { ...form, pretty: true } : form;
  const types = builtinTypes.join(', ');
  if (resource.decoding === 'typed' && !namesKnownType(accept)) {
    const message = `406: Not Acceptable\n\nAvailable representations: ${types}`;
    throw new ApiError({ code: 406, reason: 'NotAcceptable', message, details: {} });
  }
  const message = `only the following media types are accepted: ${types}`;
  throw new ApiError({ code: 406, reason: 'NotAcceptable', message });
}

/** Errors go out in the same encoding, and as JSON where that is none of ours. */
export function errorForm({ headers }: TransportRequest): OutputForm {
  const { encoding } = negotiate(headers.accept) ?? plainJson;
  return { ...plainJson, encoding };
}

/** People get white space: who asks for it, and the clients that people use by hand. */
function wantsPretty(userAgent: string | undefined, query: URLSearchParams): boolean {
  const asked = query.get('pretty');
  if (asked) return /^(1|t|T|TRUE|true|True)$/.test(asked);
  return userAgent !== undefined && /^(curl|Wget|Mozilla\/5\.0)/.test(userAgent);
}
