/** Answers of any server in a form in which equal behaviour is equal text. */
import { canonicalJson, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@lifeline/core';

/** One answer, or one watch event, before and after. */
export interface Observation {
  readonly what: string;
  readonly status: number;
  readonly warnings: string | undefined;
  readonly body: JsonValue;
}

/** Texts that differ from run to run, and what stands for them: the namespace, the group. */
export type Stand = ReadonlyMap<string, string>;

/** A whole object in the message about it: a real server writes its members in the order in which it came by them. */
const quotedObject = /"(?:\{\\".*\}|map\[.*\])"/;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;
/** In sentences, and in objects that are quoted in them. */
const versionInText = /((?:in (?:the )?(?:precondition|record|object meta)|resourceVersion\\*":)[ :(\\"]*)(\d+)/g;

/**
 * uids become `uid-1`, `uid-2` … in order of appearance; resourceVersions of objects `rv-1` … in their own order, of lists `rv`, since
 * others may write meanwhile; times `time`; managedFields a map by who manages what, since their order depends on the second.
 */
export function normalise(observations: readonly Observation[], stands: Stand): readonly Observation[] {
  const uids = new Map<string, string>();
  const versions = versionNames(observations);
  const nameText = (text: string): string => {
    let plain = text.replace(time, 'time').replace(quotedObject, '"{…}"');
    for (const [from, to] of stands) plain = plain.replaceAll(from, to);
    for (const [uid, name] of uids) plain = plain.replaceAll(uid, name);
    return plain.replace(
      versionInText,
      (_, before: string, version: string) => `${before}${versions.get(version) ?? version}`,
    );
  };
  const visit = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return nameText(value);
    if (isJsonArray(value)) return value.map(visit);
    if (!isJsonObject(value)) return value;
    const isObjectMeta = typeof value['uid'] === 'string';
    return Object.fromEntries(
      Object.entries(value['kind'] === 'Status' ? orderless(value) : value).map(([key, member]) => [
        nameText(key),
        visitMember(key, member as JsonValue, isObjectMeta),
      ]),
    );
  };
  const visitMember = (key: string, member: JsonValue, isObjectMeta: boolean): JsonValue => {
    if (key === 'uid' && typeof member === 'string') {
      if (!uids.has(member)) uids.set(member, `uid-${uids.size + 1}`);
      return uids.get(member) as string;
    }
    if (key === 'resourceVersion' && typeof member === 'string')
      return isObjectMeta ? (versions.get(member) ?? 'rv') : 'rv';
    if (key === 'continue' && typeof member === 'string') return member === '' ? '' : 'token';
    if (key === 'managedFields' && isJsonArray(member)) return managersOf(member, visit);
    return visit(member);
  };
  return observations.map((observation) => ({
    ...observation,
    warnings: observation.warnings && nameText(observation.warnings),
    body: sorted(visit(observation.body)),
  }));
}

/** The order of several causes is chance on a real server, and so is that of the same sentences at the end of the message. */
function orderless(status: JsonObject): JsonObject {
  const { details, message } = status;
  const causes = isJsonObject(details) ? details['causes'] : undefined;
  if (!isJsonObject(details) || !isJsonArray(causes) || causes.length < 2 || typeof message !== 'string') return status;
  return {
    ...status,
    message: message.replace(/: (\[|conflicts with)[^]*$/, ''),
    details: { ...details, causes: causes.toSorted((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1)) },
  };
}

/** Of objects only: those of lists depend on everybody's writes. */
function versionNames(observations: readonly Observation[]): ReadonlyMap<string, string> {
  const found = new Set<string>();
  const visit = (value: JsonValue): void => {
    if (isJsonArray(value)) return value.forEach(visit);
    if (!isJsonObject(value)) return;
    const { metadata } = value;
    if (isJsonObject(metadata) && metadata['uid'] !== undefined && typeof metadata['resourceVersion'] === 'string') {
      found.add(metadata['resourceVersion']);
    }
    for (const member of Object.values(value)) visit(member as JsonValue);
  };
  for (const { body } of observations) visit(body);
  const inOrder = [...found].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
  return new Map(inOrder.map((version, index) => [version, `rv-${index + 1}`]));
}

function managersOf(entries: readonly JsonValue[], visit: (fields: JsonValue) => JsonValue): JsonObject {
  return Object.fromEntries(
    entries
      .filter(isJsonObject)
      .map(({ manager, operation, apiVersion, subresource = '', fieldsV1 = null, time: at }) => {
        const who = [manager, operation, apiVersion, subresource]
          .map((part) => visit(part as JsonValue) as string)
          .join(' ');
        return [at === undefined ? `${who} without a time` : who, visit(fieldsV1)];
      }),
  );
}

function sorted(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, sorted(member as JsonValue)]));
}
