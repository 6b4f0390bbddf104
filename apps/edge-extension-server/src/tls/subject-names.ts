/** The names in a certificate, and which of them may call. */
import { parseJson, PlatformError } from '@lifeline/core';

export interface SubjectName {
  /** `IP Address`, `email` and whatever else there is allow nothing. */
  readonly type: string;
  readonly value: string;
}

/** An allowed name as it stands in the settings: a URI when it has a scheme, else a DNS name. */
export class NameError extends PlatformError<'subject-name'> {
  constructor(message: string) {
    super('subject-name', message);
  }
}

/** @throws NameError for a wildcard: a list of callers that names them one by one is worth something */
export function parseAllowedName(text: string): SubjectName {
  if (/^[a-z][a-z0-9+.-]*:./i.test(text)) return { type: 'URI', value: text };
  if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text))
    throw new NameError(`"${text}" is neither a DNS name without wildcard nor a URI`);
  return { type: 'DNS', value: text };
}

/**
 * The subject alternative names of a certificate, from the text that Node makes of them: `TYPE:value` with `, ` between, where a value
 * with anything odd in it is a JSON string. What does not read so ends the list: names behind it allow nothing.
 * @see https://nodejs.org/api/crypto.html#x509subjectaltname
 */
export function subjectNames(text: string | undefined): SubjectName[] {
  const names: SubjectName[] = [];
  const entry = /([^:,"]+):("(?:[^"\\]|\\.)*"|[^",]*)(?:, |$)/y;
  for (let match = entry.exec(text ?? ''); match; match = entry.exec(text ?? '')) {
    const [, type = '', value = ''] = match;
    names.push({ type, value: value.startsWith('"') ? (parseJson(value) as string) : value });
    if (entry.lastIndex === text?.length) break;
  }
  return names;
}

/** Exactly, but for the case of DNS names. The subject's common name counts for nothing. */
export function isAllowed(names: readonly SubjectName[], allowed: readonly SubjectName[]): boolean {
  return names.some((name) => allowed.some((one) => one.type === name.type && comparable(one) === comparable(name)));
}

const comparable = ({ type, value }: SubjectName): string => (type === 'DNS' ? value.toLowerCase() : value);
