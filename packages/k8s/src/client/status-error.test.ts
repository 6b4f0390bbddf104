import { epochMs, Secret } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { Gadget } from '../testing/gadget.fixture.ts';
import { undeclaredFields } from './apply-flaws.ts';
import type { KubeError } from './kube-error.ts';
import { answerError, eventError } from './status-error.ts';

const clock = { now: () => epochMs(0) };
const target = { kind: Gadget, namespace: 'default', name: 'a' };
const request = { what: 'GET https://api.test/x', target };

const statusText = (status: object): string =>
  JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', ...status });
const errorFor = (status: number, text = '', headers: Record<string, string> = {}) =>
  answerError(request, { status, headers, text }, clock);
const named = (details: object): string => statusText({ reason: 'NotFound', details });

describe('answerError', () => {
  it.each([
    { status: 302, code: 'malformed' },
    { status: 400, code: 'invalid' },
    { status: 401, code: 'unauthorized' },
    { status: 403, code: 'forbidden' },
    { status: 405, code: 'invalid' },
    { status: 408, code: 'unavailable' },
    { status: 409, code: 'conflict' },
    { status: 410, code: 'gone' },
    { status: 413, code: 'too-large' },
    { status: 422, code: 'invalid' },
    { status: 429, code: 'throttled' },
    { status: 500, code: 'unavailable' },
    { status: 503, code: 'unavailable' },
    { status: 524, code: 'unavailable' },
  ])('$status → $code', ({ status, code }) => {
    expect(errorFor(status)).toMatchObject({ code, status });
  });

  describe('what a server quotes', () => {
    const quoted = 'patch: Invalid value: "{\\"data\\":{\\"password\\":\\"VG9w\\"}}": cannot be';
    const causes = [{ reason: 'FieldValueInvalid', field: 'patch', message: quoted }];
    const secret = { what: 'PATCH https://api.test/s', target: { kind: Secret, namespace: 'default', name: 'a' } };
    const answer = (status: number, message: string) => ({
      status,
      headers: {},
      text: statusText({ reason: 'Invalid', message, details: { causes } }),
    });

    it.each([400, 422, 500])('of a Secret is in no error (%i)', (status) => {
      const error = answerError(secret, answer(status, quoted), clock);
      expect(JSON.stringify([error.message, error.causes])).not.toContain('VG9w');
      expect(error.causes).toEqual(['patch: FieldValueInvalid']);
      expect(answerError(request, answer(status, quoted), clock).message).toContain('VG9w');
    });

    it('who may not write a Secret is told why', () => {
      const error = answerError(secret, answer(403, 'User "x" cannot patch resource "secrets"'), clock);
      expect(error.message).toContain('User "x" cannot patch');
    });

    it('whole objects do not make whole objects of errors', () => {
      const { message } = answerError(request, answer(422, 'x'.repeat(1_000_000)), clock);
      expect(message.length).toBeLessThan(3_000);
    });
  });

  it.each([403, 404, 422])('%i whose body was cut says nothing yet', (status) => {
    const whole = named({ name: 'a', group: 'example.dev', kind: 'gadgets' });
    const headers = { 'content-type': 'application/json' };
    for (let at = 0; at < whole.length; at++)
      expect(errorFor(status, whole.slice(0, at), headers).code, `cut at ${at}`).toBe('unavailable');
    expect(answerError(request, { status, headers: {}, text: '', isCut: true }, clock).code).toBe('unavailable');
  });

  it.each([
    { name: 'the object', text: named({ name: 'a', group: 'example.dev', kind: 'gadgets' }), code: 'not-found' },
    {
      name: 'the object, by its kind',
      text: named({ name: 'a', group: 'example.dev', kind: 'Gadget' }),
      code: 'not-found',
    },
    { name: 'its namespace', text: named({ name: 'default', kind: 'namespaces' }), code: 'not-found' },
    { name: 'another object', text: named({ name: 'b', group: 'example.dev', kind: 'gadgets' }), code: 'kind-missing' },
    {
      name: 'another kind of that name',
      text: named({ name: 'a', group: 'example.dev', kind: 'gizmos' }),
      code: 'kind-missing',
    },
    { name: 'another group', text: named({ name: 'a', group: 'other.dev', kind: 'gadgets' }), code: 'kind-missing' },
    { name: 'another namespace', text: named({ name: 'other', kind: 'namespaces' }), code: 'kind-missing' },
    { name: 'no object', text: named({}), code: 'kind-missing' },
    { name: 'nothing at all', text: statusText({ reason: 'NotFound' }), code: 'kind-missing' },
    { name: 'a path, in plain text', text: '404 page not found\n', code: 'kind-missing' },
    { name: 'a page, in HTML', text: '<html>Not Found</html>', code: 'kind-missing' },
    { name: 'something in other JSON', text: '{"name":"a","kind":"gadgets"}', code: 'kind-missing' },
  ])('a 404 that names $name → $code', ({ text, code }) => {
    expect(errorFor(404, text).code).toBe(code);
  });

  it('a 422 about nothing in particular is a JSON patch that does not fit any more', () => {
    const message = 'the server rejected our request due to an error in our request';
    expect(errorFor(422, statusText({ reason: 'Invalid', message, details: {} })).code).toBe('conflict');
    expect(errorFor(422, statusText({ reason: 'Invalid', message, details: { name: 'a' } })).code).toBe('invalid');
    expect(errorFor(422, statusText({ reason: 'Invalid', message: 'no', details: {} })).code).toBe('invalid');
    expect(errorFor(422, message).code).toBe('invalid');
  });

  it('a 500 about an apply that does not fit its schema is no outage, and says what does not fit', () => {
    const start = 'failed to create typed patch object (ns/a; example.dev/v1, Kind=Gadget): ';
    const refused = (flaws: string): KubeError => errorFor(500, statusText({ message: `${start}${flaws}` }));
    const one = refused('.spec.extra: field not declared in schema');
    expect([one.code, one.causes]).toEqual(['invalid', ['spec.extra: field not declared in schema']]);
    expect(undeclaredFields(one)).toEqual(['spec.extra']);
    const several = refused(
      'errors:\n  .spec.ports[port=1,protocol="TCP"].extra: field not declared in schema\n  .spec.size: expected string, got x',
    );
    expect(several.causes).toEqual([
      'spec.ports[port=1,protocol="TCP"].extra: field not declared in schema',
      'spec.size: expected string, got x',
    ]);
    expect(undeclaredFields(several)).toEqual(['spec.ports[port=1,protocol="TCP"].extra']);
    expect(errorFor(500, statusText({ message: `etcd: ${start}x` })).code).toBe('unavailable');
    expect(undeclaredFields(errorFor(500, 'boom'))).toEqual([]);
    const ofSecret = answerError(
      { ...request, target: { kind: Secret, name: 'a' } },
      { status: 500, headers: {}, text: statusText({ message: `${start}.data.a: expected string, got &{hunter2}` }) },
      clock,
    );
    expect([ofSecret.code, ofSecret.causes]).toEqual(['invalid', []]);
    expect(ofSecret.message).not.toContain('hunter2');
  });

  it('tells what the server told: reason, causes, a fresh token', () => {
    const terminating = {
      reason: 'Forbidden',
      details: { causes: [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }] },
    };
    expect(errorFor(403, statusText(terminating)).code).toBe('namespace-terminating');
    expect(errorFor(409, statusText({ reason: 'AlreadyExists' })).code).toBe('already-exists');
    expect(errorFor(410, statusText({ reason: 'Expired', metadata: { continue: 'next' } })).continueToken).toBe('next');
    const causes = [{ field: 'spec.size', message: 'too big' }, { message: 'odd' }];
    const invalid = errorFor(422, statusText({ reason: 'Invalid', message: 'is invalid', details: { causes } }));
    expect(invalid.causes).toEqual(['spec.size: too big', 'odd']);
    expect(invalid.message).toBe('invalid: GET https://api.test/x: 422 Invalid is invalid');
  });

  it.each([
    { name: 'plain text', text: 'Too many requests', headers: {}, want: '429 Too many requests' },
    { name: 'HTML', text: '<html><h1>Bad</h1>\n gateway</html>', headers: {}, want: '429 Bad gateway' },
    { name: 'a long page', text: 'x'.repeat(500), headers: {}, want: `429 ${'x'.repeat(200)}…` },
    { name: 'broken JSON', text: '{"kind":"Status"', headers: {}, want: '429 {"kind":"Status"' },
  ])('shows $name', ({ text, want }) => {
    expect(errorFor(429, text).message).toBe(`throttled: GET https://api.test/x: ${want}`);
  });

  it.each([
    { name: 'header', headers: { 'retry-after': '7' }, text: '', want: 7_000 },
    {
      name: 'header over body',
      headers: { 'retry-after': '7' },
      text: statusText({ details: { retryAfterSeconds: 3 } }),
      want: 7_000,
    },
    { name: 'body', headers: {}, text: statusText({ details: { retryAfterSeconds: 3 } }), want: 3_000 },
    { name: 'absurd body', headers: {}, text: statusText({ details: { retryAfterSeconds: 1e9 } }), want: 60_000 },
    { name: 'nothing', headers: {}, text: '', want: 1_000 },
  ])('a 429 with $name → wait $want ms', ({ headers, text, want }) => {
    expect(errorFor(429, text, headers as Record<string, string>).retryAfterMs).toBe(want);
  });

  it('a 503 that does not say when leaves it to us', () => {
    expect(errorFor(503).retryAfterMs).toBeUndefined();
    expect(errorFor(503, '', { 'retry-after': 'Thu, 01 Jan 1970 00:00:20 GMT' }).retryAfterMs).toBe(20_000);
  });
});

describe('eventError', () => {
  it.each([
    { object: { kind: 'Status', apiVersion: 'v1', code: 410, reason: 'Expired' }, code: 'gone', status: 410 },
    { object: { kind: 'Status', apiVersion: 'v1', reason: 'Expired' }, code: 'gone', status: 410 },
    { object: { kind: 'Status', apiVersion: 'v1', code: 429 }, code: 'throttled', status: 429 },
    {
      object: { kind: 'Status', apiVersion: 'v1', code: 504, message: 'Too large resource version' },
      code: 'unavailable',
      status: 504,
    },
    { object: { kind: 'Status', apiVersion: 'v1' }, code: 'unavailable', status: 500 },
    { object: { code: 410 }, code: 'gone', status: 410 },
    { object: 'oops', code: 'malformed', status: undefined },
  ])('$object → $code', ({ object, code, status }) => {
    expect(eventError({ what: 'GET x', target: undefined }, object)).toMatchObject({ code, status });
  });
});
