/** What an API server said went wrong, as a {@link KubeError}. */
import {
  asStatus,
  type Clock,
  type DurationMs,
  isJsonObject,
  type Kind,
  parseJson,
  Secret,
  type Status,
  type TransportResponse,
} from '@lifeline/core';
import { applyFlaws } from './apply-flaws.ts';
import { KubeError, type KubeErrorCode } from './kube-error.ts';
import { clampPause, retryAfter, shortestPauseMs } from './retry-after.ts';

/** The object that a request was about. A list or a watch has none. */
export interface ErrorTarget {
  readonly kind: Kind;
  readonly namespace?: string | undefined;
  readonly name: string;
}

export interface FailedRequest {
  /** `GET https://host/api/v1/…`, without the query. */
  readonly what: string;
  readonly target: ErrorTarget | undefined;
}

export interface FailedAnswer extends Pick<TransportResponse, 'status' | 'headers'> {
  /** The body as far as it could be read. */
  readonly text: string;
  /** It broke off. */
  readonly isCut?: boolean | undefined;
}

/** An answer that is no success. */
export function answerError(
  request: FailedRequest,
  { status, headers, text, isCut = false }: FailedAnswer,
  clock: Pick<Clock, 'now'>,
): KubeError {
  const hint = retryAfter(headers['retry-after'], clock.now());
  const said = statusIn(text);
  const type = headers['content-type'];
  const words = said?.message ?? excerpt(text, type);
  return errorOf(request, { status, said, words, hint, isCut: isCut || isBeginning(text, type) });
}

/** The object of an `ERROR` event. */
export function eventError(request: FailedRequest, object: unknown): KubeError {
  // Some proxies keep only its code.
  const said = isJsonObject(object) ? asStatus({ apiVersion: 'v1', kind: 'Status', ...object }) : undefined;
  if (!said) return new KubeError('malformed', `${request.what}: an ERROR event without a Status`);
  const status = said.code ?? (said.reason === 'Expired' || said.reason === 'Gone' ? 410 : 500);
  return errorOf(request, { status, said, words: said.message ?? '', hint: undefined, isCut: false });
}

interface Answer {
  readonly status: number;
  readonly said: Status | undefined;
  readonly words: string;
  readonly hint: DurationMs | undefined;
  readonly isCut: boolean;
}

/** What these mean stands in the body: without it a 404 for an absent object would pass for a kind that is not served. */
const saidInTheBody: ReadonlySet<number> = new Set([403, 404, 422]);

function errorOf({ what, target }: FailedRequest, { status, said, words, hint, isCut }: Answer): KubeError {
  const code = isCut && saidInTheBody.has(status) ? 'unavailable' : codeOf(status, said, target);
  const seconds = said?.details?.retryAfterSeconds;
  const asked = hint ?? (seconds === undefined ? undefined : clampPause(seconds * 1000));
  const token = said?.['metadata'] as { continue?: unknown } | undefined;
  const isQuiet = target?.kind.id === Secret.id && !saysNothingOfContent.has(status);
  const shown = isQuiet ? withheld : cut(words, longestMessage);
  return new KubeError(code, `${what}: ${[status, said?.reason, shown].filter(Boolean).join(' ')}`, {
    status,
    reason: said?.reason,
    retryAfterMs: asked ?? (code === 'throttled' ? shortestPauseMs : undefined),
    causes: causesIn(said, isQuiet),
    continueToken:
      code === 'gone' && typeof token?.continue === 'string' && token.continue !== '' ? token.continue : undefined,
  });
}

function causesIn(said: Status | undefined, isQuiet: boolean): readonly string[] {
  const causes = said?.details?.causes ?? [];
  const told = causes.map(({ field, message, reason }) =>
    [field, isQuiet ? reason : message && cut(message, longestMessage)].filter(Boolean).join(': '),
  );
  return isQuiet ? told : [...told, ...applyFlaws(said?.message ?? '').map((flaw) => cut(flaw, longestMessage))];
}

/**
 * What a server says with any other status may quote what it was sent, whole objects included. Errors are logged and told in Events: what is in
 * a Secret must not be.
 * @see kubernetes/kubernetes@86b3ca48e staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go: `field.Invalid("patch", string(patchedJS), …)`
 */
const saysNothingOfContent: ReadonlySet<number> = new Set([401, 403, 404, 408, 409, 410, 413, 429, 503, 504]);
const withheld = '(what the server says of a Secret is not shown)';

const longestMessage = 2_000;

function codeOf(status: number, said: Status | undefined, target: ErrorTarget | undefined): KubeErrorCode {
  switch (status) {
    case 401:
      return 'unauthorized';
    case 403: {
      const terminates = said?.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating');
      return terminates ? 'namespace-terminating' : 'forbidden';
    }
    case 404:
      return provesAbsence(said, target) ? 'not-found' : 'kind-missing';
    case 409:
      return said?.reason === 'AlreadyExists' ? 'already-exists' : 'conflict';
    case 410:
      return 'gone';
    case 413:
      return 'too-large';
    case 422:
      return said && saysPatchDoesNotFit(said) ? 'conflict' : 'invalid';
    case 429:
      return 'throttled';
    case 500:
      // No fault of the server's: nothing but another object, or another schema, can help.
      return applyFlaws(said?.message ?? '').length > 0 ? 'invalid' : 'unavailable';
    default:
      if (status === 408 || status >= 500) return 'unavailable';
      return status >= 400 ? 'invalid' : 'malformed';
  }
}

/**
 * A JSON patch that the object, as it is now, does not take: a failed `test`, a path that has gone. The object moved on, as with a 409.
 * What a validation or a webhook refuses names the object, or says so in words of its own.
 * @see kubernetes/kubernetes@86b3ca48e staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go (applyJSPatch)
 */
const saysPatchDoesNotFit = ({ message, details }: Status): boolean =>
  message === 'the server rejected our request due to an error in our request' &&
  !details?.name &&
  !details?.causes?.length;

/** A 404 proves something only when the server names the object that was asked for, or the namespace that it would be in. */
function provesAbsence(said: Status | undefined, target: ErrorTarget | undefined): boolean {
  if (!target || said?.reason !== 'NotFound') return false;
  const { name, kind, group = '' } = said.details ?? {};
  if (name === undefined || kind === undefined) return false;
  if (kind === 'namespaces' && group === '') {
    if (name === target.namespace) return true;
  }
  // The plural on a real server; some aggregated ones write the kind.
  const isKind = kind === target.kind.plural || kind === target.kind.kind;
  return isKind && group === target.kind.group && name === target.name;
}

function statusIn(text: string): Status | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    return asStatus(parseJson(text));
  } catch {
    return undefined;
  }
}

/** A JSON object that has no end, or has not even begun. */
function isBeginning(text: string, contentType = ''): boolean {
  if (text.trim() === '') return contentType.includes('json');
  if (!text.trimStart().startsWith('{')) return false;
  try {
    parseJson(text);
    return false;
  } catch {
    return true;
  }
}

const longestExcerpt = 200;

/** Some of a body that is no `Status`: a proxy's page, plain text. */
function excerpt(text: string, contentType = ''): string {
  const plain = contentType.includes('html') || /^\s*</.test(text) ? text.replace(/<[^>]*>/g, ' ') : text;
  const line = plain.replace(/\s+/g, ' ').trim();
  return cut(line, longestExcerpt);
}

const cut = (text: string, longest: number): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);
