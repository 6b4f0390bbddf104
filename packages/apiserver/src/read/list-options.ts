/** What the query of a list or a watch says. @see kubernetes/apimachinery@v0.36.3 pkg/apis/meta/internalversion */
import { badRequest, type Cause, invalid } from '../api-error.ts';
import { forbidden, notSupported } from '../field-error.ts';
import type { Call } from '../http/call.ts';
import { goQuote } from '../go-text.ts';
import { queryFlag, queryInteger } from '../http/query.ts';
import { present, type Spoken } from '../resources/spoken.ts';
import type { StoredObject } from '../resources/resource.ts';
import { type FieldSelector, matchesFields, parseFieldSelector } from './field-selector.ts';
import { type LabelSelector, matchesLabels, parseLabelSelector } from './label-selector.ts';

export interface Selection {
  readonly labels: LabelSelector;
  readonly fields: FieldSelector;
}

export interface ListOptions extends Selection {
  /** 0: none. */
  readonly limit: number;
  readonly continue: string;
  /** `''`: none was given. */
  readonly resourceVersion: string;
  readonly match: 'Exact' | 'NotOlderThan' | '';
  readonly timeoutSeconds: number;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean;
}

/** @throws ApiError 400 or 422 in the words of a real server */
export function parseListOptions(call: Pick<Call, 'query' | 'verb' | 'name' | keyof Spoken>): ListOptions {
  const { query } = call;
  const text = (key: string): string => query.get(key) ?? '';
  const watch = call.verb === 'watch';
  const resourceVersion = text('resourceVersion');
  const labels = parseLabelSelector(text('labelSelector'));
  let match = text('resourceVersionMatch');
  let initial = query.has('sendInitialEvents') ? queryFlag(query, 'sendInitialEvents') : undefined;
  const limit = Math.max(0, queryInteger(query, 'limit'));
  const timeoutSeconds = Math.max(0, queryInteger(query, 'timeoutSeconds'));
  if (watch && initial === undefined && match === '' && (resourceVersion === '' || resourceVersion === '0')) {
    // The oldest way to ask for a watch from the beginning.
    initial = true;
    match = 'NotOlderThan';
  }
  const given: Given = { resourceVersion, match, initial, continue: text('continue') };
  const causes = watch ? watchCauses(given) : listCauses(given);
  if (causes.length > 0) throw invalid(optionsSubject, causes);
  return {
    labels,
    fields: withName(parseFieldSelector(text('fieldSelector'), call), call.name),
    limit,
    continue: given.continue,
    resourceVersion,
    match: match as ListOptions['match'],
    timeoutSeconds,
    allowWatchBookmarks: queryFlag(query, 'allowWatchBookmarks'),
    sendInitialEvents: initial ?? false,
  };
}

/** A name in the path selects as one in a selector does, and may not be another. @throws ApiError 400 */
function withName(fields: FieldSelector, name: string | undefined): FieldSelector {
  if (name === undefined) return fields;
  if (fields.length === 0) return [{ field: 'metadata.name', equal: true, value: name }];
  if (fields.some(({ field, equal, value }) => field === 'metadata.name' && equal && value === name)) return fields;
  throw badRequest("fieldSelector metadata.name doesn't match requested name");
}

/** Whether an object is meant. @param stored in its stored form */
export const selects = ({ labels, fields }: Selection, spoken: Spoken, stored: StoredObject): boolean =>
  (labels.length === 0 || matchesLabels(labels, stored.metadata.labels)) &&
  (fields.length === 0 || matchesFields(fields, present(spoken, stored), spoken.version));

export const selectsAll = ({ labels, fields }: Selection): boolean => labels.length === 0 && fields.length === 0;

/** A revision that a client names. @throws RangeError with the words of a real server: how they go out depends on the request */
export function parseRevision(text: string): number {
  const digits = /^\d+$/.test(text);
  if (digits && (text.length < 16 || BigInt.asUintN(64, BigInt(text)) === BigInt(text))) return Number(text);
  const why = digits ? 'value out of range' : 'invalid syntax';
  throw new RangeError(
    `resourceVersion: Invalid value: ${goQuote(text)}: strconv.ParseUint: parsing ${goQuote(text)}: ${why}`,
  );
}

const optionsSubject = { resource: { group: 'meta.k8s.io', plural: 'listoptions', kind: 'ListOptions' } };

interface Given {
  readonly resourceVersion: string;
  readonly match: string;
  readonly initial: boolean | undefined;
  readonly continue: string;
}

const listCauses = ({ resourceVersion, match, initial, continue: token }: Given): readonly Cause[] => [
  ...when(match !== '' && resourceVersion === '', () =>
    matchForbidden('resourceVersionMatch is forbidden unless resourceVersion is provided'),
  ),
  ...when(match !== '' && token !== '', () =>
    matchForbidden('resourceVersionMatch is forbidden when continue is provided'),
  ),
  ...when(match !== '' && match !== 'Exact' && match !== 'NotOlderThan', () =>
    notSupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan', '']),
  ),
  ...when(match === 'Exact' && resourceVersion === '0', () =>
    matchForbidden('resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
  ),
  ...when(initial !== undefined, () => forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list')),
];

const watchCauses = ({ match, initial, continue: token }: Given): readonly Cause[] => [
  ...when(initial !== undefined && match !== 'NotOlderThan', () =>
    matchForbidden('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
  ),
  ...when(match !== '' && initial === undefined, () =>
    matchForbidden('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
  ),
  ...when(match !== '' && match !== 'NotOlderThan', () =>
    notSupported('resourceVersionMatch', match, ['NotOlderThan']),
  ),
  ...when(match !== '' && token !== '', () =>
    matchForbidden('resourceVersionMatch is forbidden when continue is provided'),
  ),
];

const when = (holds: boolean, cause: () => Cause): readonly Cause[] => (holds ? [cause()] : []);
const matchForbidden = (why: string): Cause => forbidden('resourceVersionMatch', why);
