/** How a client wants its answer, from all that says so. */
import type { TransportRequest } from '@lifeline/core';
import { ApiError } from '../api-error.ts';
import type { Resource } from '../resources/resource.ts';
import { builtinTypes, namesKnownType, negotiate, type OutputForm, plainJson, streamTypes } from './negotiate.ts';

export interface AnswerKind {
  readonly decoding: Resource['decoding'];
  /** Whether it may be a stream: lists and watches share a route. */
  readonly streams?: boolean;
}

/** @throws ApiError 406 in the words of a real server */
export function outputForm(
  { headers }: TransportRequest,
  query: URLSearchParams,
  { decoding, streams = false }: AnswerKind,
): OutputForm {
  const { accept } = headers;
  // Routes look at the header before the negotiation does, and know fewer wild cards.
  if (decoding === 'typed' && !namesKnownType(accept)) {
    const types = streams ? [...builtinTypes, ...streamTypes] : builtinTypes;
    const message = `406: Not Acceptable\n\nAvailable representations: ${types.join(', ')}`;
    throw new ApiError({ code: 406, reason: 'NotAcceptable', message, details: {} });
  }
  const form = negotiate(accept);
  if (form) return wantsPretty(headers['user-agent'], query) ? { ...form, pretty: true } : form;
  const message = `only the following media types are accepted: ${builtinTypes.join(', ')}`;
  throw new ApiError({ code: 406, reason: 'NotAcceptable', message });
}

/** Errors have no other projection: they go out in the encoding of the first clause that asks for none, and else as JSON. */
export function errorForm({ headers }: TransportRequest): OutputForm {
  const { encoding } = negotiate(headers.accept, ({ as }) => as === 'Object') ?? plainJson;
  return { ...plainJson, encoding };
}

/** People get white space: who asks for it, and the clients that people use by hand. */
function wantsPretty(userAgent: string | undefined, query: URLSearchParams): boolean {
  const asked = query.get('pretty');
  if (asked) return /^(1|t|T|TRUE|true|True)$/.test(asked);
  return userAgent !== undefined && /^(curl|Wget|Mozilla\/5\.0)/.test(userAgent);
}
