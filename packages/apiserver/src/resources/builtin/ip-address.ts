/** IP addresses in built-in kinds. @see kubernetes/apimachinery@v0.36.3 pkg/util/validation/ip.go */
import { isIPv4, isIPv6 } from 'node:net';
import type { Cause } from '../../api-error.ts';
import { invalidValue } from '../../field-error.ts';

/** What is wrong with an address as such. */
export function addressFlaws(field: string, text: string): readonly Cause[] {
  if (isIPv4(text) || isIPv6(text)) return [];
  const detail = isIPv4(text.replace(/(^|\.)0+(?=\d)/g, '$1'))
    ? 'must not have leading 0s'
    : 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
  return [invalidValue(field, text, detail)];
}

/** Addresses that no endpoint has. */
const special: readonly (readonly [pattern: RegExp, detail: (text: string) => string])[] = [
  [/^(?:0\.0\.0\.0|::)$/, (text) => `may not be unspecified (${text})`],
  [/^(?:127\.|::1$)/, () => 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  [/^(?:169\.254\.|fe[89ab][0-9a-f]:)/i, () => 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  [/^(?:224\.0\.0\.|ff[0-9a-f]2:)/i, () => 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
];

/** What is wrong with the address of an endpoint, given that it is one. */
export const endpointFlaws = (field: string, text: string): readonly Cause[] =>
  special.filter(([pattern]) => pattern.test(text)).map(([, detail]) => invalidValue(field, text, detail(text)));
