/** What an API server answers instead of doing what it was asked: a `metav1.Status`. */
import { type JsonObject, kindId, PlatformError } from '@lifeline/core';
import { goAggregate, goQuote } from './go-text.ts';
import { type Resource, resourceId } from './resources/resource.ts';

/** The reasons that clients branch on. @see kubernetes/apimachinery@8140f573b pkg/apis/meta/v1/types.go */
export type StatusReason =
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Invalid'
  | 'Timeout'
  | 'TooManyRequests'
  | 'BadRequest'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'RequestEntityTooLarge'
  | 'UnsupportedMediaType'
  | 'InternalError'
  | 'Expired'
  | 'ServiceUnavailable';

/** `metav1.StatusCause`. */
export interface Cause {
  /** `FieldValueInvalid`, `FieldValueRequired`, `FieldManagerConflict`, `NamespaceTerminating` … */
  readonly reason: string;
  readonly message: string;
  readonly field?: string | undefined;
}

export interface ApiErrorSpec {
  readonly code: number;
  readonly reason: StatusReason | '';
  readonly message: string;
  readonly details?: JsonObject | undefined;
  /** `metav1.ListMeta` of the Status: the token that continues an expired list. */
  readonly metadata?: JsonObject | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Thrown by whatever handles a request; the client gets it as a `Status`. `code` of the error is the HTTP status as text. */
export class ApiError extends PlatformError {
  readonly spec: ApiErrorSpec;

  constructor(spec: ApiErrorSpec) {
    super(String(spec.code), spec.message);
    this.spec = spec;
  }

  /** The body of the answer; also the object of an `ERROR` watch event. */
  get status(): JsonObject {
    const { code, reason, message, details, metadata = {} } = this.spec;
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata,
      status: 'Failure',
      message,
      ...(reason === '' ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      code,
    };
  }
}

/** What an error is about. */
export interface Subject {
  readonly resource: Pick<Resource, 'group' | 'plural' | 'kind'>;
  readonly name?: string | undefined;
}

/** `connectors.networking.datumapis.com "a"`. */
const called = ({ resource: { group, plural }, name }: Subject): string =>
  `${resourceId(group, plural)} ${goQuote(name ?? '')}`;

/** `details` that name an object; `kind` holds the plural, as on a real server. */
const detailsOf = ({ resource: { group, plural }, name }: Subject, rest: JsonObject = {}): JsonObject => ({
  ...(name ? { name } : {}),
  ...(group ? { group } : {}),
  kind: plural,
  ...rest,
});

const about = (subject: Subject, [code, reason]: readonly [number, StatusReason], message: string): ApiError =>
  new ApiError({ code, reason, message: message.replace('%', () => called(subject)), details: detailsOf(subject) });

export const notFound = (subject: Subject): ApiError => about(subject, [404, 'NotFound'], '% not found');

export const alreadyExists = (subject: Subject): ApiError => about(subject, [409, 'AlreadyExists'], '% already exists');

export const forbidden = (subject: Subject, why: string): ApiError =>
  about(subject, [403, 'Forbidden'], `% is forbidden: ${why}`);

export const conflict = (subject: Subject, why: string): ApiError =>
  about(subject, [409, 'Conflict'], `Operation cannot be fulfilled on %: ${why}`);

export const badRequest = (message: string): ApiError => new ApiError({ code: 400, reason: 'BadRequest', message });

/** A Status of 422 names the kind, not the plural. Its message tells once what several causes say. */
export function invalid(subject: Subject, causes: readonly Cause[]): ApiError {
  const { group, kind } = subject.resource;
  const told = [...new Set(causes.map(({ field, message }) => (field ? `${field}: ${message}` : message)))];
  return new ApiError({
    code: 422,
    reason: 'Invalid',
    message: `${kindId(group, kind)} ${goQuote(subject.name ?? '')} is invalid: ${goAggregate(told)}`,
    details: {
      ...(subject.name ? { name: subject.name } : {}),
      ...(group ? { group } : {}),
      ...(kind ? { kind } : {}),
      causes: causes.map((cause) => ({ ...cause })),
    },
  });
}

/** The path names no resource that is served. */
export const noSuchResource = (): ApiError =>
  new ApiError({
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  });

export const methodNotAllowed = (): ApiError =>
  new ApiError({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  });

/** The resource does not know this verb. */
export const methodNotSupported = ({ resource }: Subject, verb: string): ApiError => {
  const { group, plural } = resource;
  return new ApiError({
    code: 405,
    reason: 'MethodNotAllowed',
    message: `${verb} is not supported on resources of kind "${resourceId(group, plural)}"`,
    details: detailsOf({ resource }),
  });
};

/** Nobody whom the server knows. */
export const unauthorized = (): ApiError =>
  new ApiError({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });

/** A fault of the server's own. */
export const internalError = (why: string): ApiError =>
  new ApiError({
    code: 500,
    reason: 'InternalError',
    message: `Internal error occurred: ${why}`,
    details: { causes: [{ message: why }] },
  });

export const bodyTooLarge = (limit: number): ApiError =>
  new ApiError({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `Request entity too large: limit is ${limit}`,
  });
