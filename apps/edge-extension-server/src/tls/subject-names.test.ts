import { describe, expect, it } from 'vitest';
import { isAllowed, NameError, parseAllowedName, subjectNames } from './subject-names.ts';

describe('subject names', () => {
  it.each([
    { text: undefined, want: [] },
    { text: '', want: [] },
    { text: 'DNS:envoy-gateway', want: ['DNS=envoy-gateway'] },
    {
      text: 'DNS:a.example, URI:spiffe://edge/ns/eg/sa/envoy-gateway, IP Address:10.0.0.1',
      want: ['DNS=a.example', 'URI=spiffe://edge/ns/eg/sa/envoy-gateway', 'IP Address=10.0.0.1'],
    },
    // What a careless reader would take for two names is one, and Node says so with quotes.
    { text: 'DNS:"good.example, DNS:bad.example", URI:x:y', want: ['DNS=good.example, DNS:bad.example', 'URI=x:y'] },
    { text: 'URI:"a\\"b\\u0000"', want: ['URI=a"b\u0000'] },
    { text: 'DNS:a, oddity, DNS:b', want: ['DNS=a'] },
    { text: 'DNS:"unfinished, DNS:b', want: [] },
  ])('$text reads as $want', ({ text, want }) => {
    expect(subjectNames(text).map(({ type, value }) => `${type}=${value}`)).toEqual(want);
  });

  it.each([
    { name: 'the same DNS name', text: 'DNS:envoy-gateway', allowed: ['envoy-gateway'], want: true },
    { name: 'a DNS name in another case', text: 'DNS:Envoy-Gateway', allowed: ['envoy-gateway'], want: true },
    { name: 'the second of two', text: 'DNS:x, URI:spiffe://a/b', allowed: ['spiffe://a/b'], want: true },
    { name: 'a URI in another case', text: 'URI:spiffe://a/B', allowed: ['spiffe://a/b'], want: false },
    { name: 'a name below', text: 'DNS:a.envoy-gateway', allowed: ['envoy-gateway'], want: false },
    { name: 'a wildcard in the certificate', text: 'DNS:*.example', allowed: ['a.example'], want: false },
    { name: 'the text as another type', text: 'email:envoy-gateway', allowed: ['envoy-gateway'], want: false },
    { name: 'no names', text: undefined, allowed: ['envoy-gateway'], want: false },
    { name: 'nobody is allowed', text: 'DNS:envoy-gateway', allowed: [], want: false },
  ])('$name: $want', ({ text, allowed, want }) => {
    expect(isAllowed(subjectNames(text), allowed.map(parseAllowedName))).toBe(want);
  });

  it.each(['*.example', '', 'a b', '-a', 'https:'])('refuses to allow %j', (text) => {
    expect(() => parseAllowedName(text)).toThrow(NameError);
  });
});
