/** Which texts the API server takes as names, label values and label keys. All checks are on ASCII text and allocate nothing. */

/** Longest label value, and longest name part of a label or annotation key. */
export const labelValueLimit = 63;
/** Longest DNS subdomain: object names, key prefixes, host names. */
export const subdomainLimit = 253;

const labelValue = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;
const dnsLabel = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

/** At most 63 of `[A-Za-z0-9-_.]`, alphanumeric at both ends. The empty text is a valid value. */
export const isLabelValue = (text: string): boolean => text.length <= labelValueLimit && labelValue.test(text);

/** `name` or `prefix/name`, as label and annotation keys are written: the name like a non-empty label value, the prefix a DNS subdomain. */
export function isQualifiedName(text: string): boolean {
  const slash = text.indexOf('/');
  const name = text.slice(slash + 1);
  return name !== '' && isLabelValue(name) && (slash < 0 || isDnsSubdomain(text.slice(0, slash)));
}

/** RFC 1123 label, lower case, at most 63 characters: namespaces, Services. */
export const isDnsLabel = (text: string): boolean => text.length <= labelValueLimit && dnsLabel.test(text);

/**
 * RFC 1123 subdomain, lower case, at most 253 characters: most object names. Its parts are not held to 63 characters, because the API
 * server does not hold them to it.
 */
export const isDnsSubdomain = (text: string): boolean =>
  text.length <= subdomainLimit && text.split('.').every((part) => dnsLabel.test(part));
