/** What is wrong with a name that follows DNS, in the words of a real server. */
import { labelValueLimit, subdomainLimit, utf8Bytes } from '@lifeline/core';

const label1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const label1123 = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = String.raw`${label1123}(\.${label1123})*`;

const bad1035 = `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '${label1035}')`;
const bad1123 = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${label1123}')`;
const badSubdomain = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${subdomain}')`;

const is1035 = new RegExp(`^${label1035}$`);
const is1123 = new RegExp(`^${label1123}$`);
const isSubdomain = new RegExp(`^${subdomain}$`);

interface Form {
  /** Of bytes, whatever the message calls them. */
  readonly limit: number;
  readonly unit?: 'characters' | 'bytes';
  readonly bad: string;
  /** Said instead where the text is a subdomain. */
  readonly dotted?: string;
}

const problems =
  (pattern: RegExp, { limit, unit = 'characters', bad, dotted = bad }: Form) =>
  (text: string): readonly string[] => [
    ...(utf8Bytes(text) > limit ? [`must be no more than ${limit} ${unit}`] : []),
    ...(pattern.test(text) ? [] : [isSubdomain.test(text) ? dotted : bad]),
  ];

/** None: it is an RFC 1035 label, as plurals, versions, Services and, in lower case, kinds have it. */
export const label1035Problems = problems(is1035, { limit: labelValueLimit, bad: bad1035 });

/** None: it is an RFC 1123 label, as namespaces have it. */
export const label1123Problems = problems(is1123, {
  limit: labelValueLimit,
  bad: bad1123,
  dotted: 'must not contain dots',
});

/** None: it is an RFC 1123 subdomain, as groups and most other names have it. */
export const subdomainProblems = problems(isSubdomain, { limit: subdomainLimit, bad: badSubdomain });

/** The same of what stands before the slash in the key of a label. */
export const prefixProblems = problems(isSubdomain, { limit: subdomainLimit, unit: 'bytes', bad: badSubdomain });
