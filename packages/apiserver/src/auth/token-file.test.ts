import { describe, expect, it } from 'vitest';
import { authenticateWith } from './authenticate.ts';
import { parseTokenFile, TokenFileError } from './token-file.ts';

describe('parseTokenFile', () => {
  it('reads lines as kube-apiserver does', () => {
    const text = [
      'a,ann,1,"devs,ops"',
      '',
      'b, bob ,2,',
      'c,"c, ""the"" third",3,devs',
      ',nobody,4',
      'a,ann again,1',
    ].join('\r\n');
    expect(parseTokenFile(text)).toEqual([
      { token: 'b', user: 'bob ', uid: '2', groups: [] },
      { token: 'c', user: 'c, "the" third', uid: '3', groups: ['devs'] },
      { token: 'a', user: 'ann again', uid: '1', groups: [] },
    ]);
  });

  it.each([
    ['a,ann', 'line 1: needs a token, a user name and a user id'],
    ['a,ann,1\nb,"bob,2', 'line 2: a quote is out of place'],
    ['a,an"n,1', 'line 1: a quote is out of place'],
  ])('refuses %j', (text, message) => {
    expect(() => parseTokenFile(text)).toThrow(TokenFileError);
    expect(() => parseTokenFile(text)).toThrow(message);
  });
});

describe('authenticateWith', () => {
  it('knows who has a token, and that they were authenticated', () => {
    const authenticate = authenticateWith(parseTokenFile('t,ann,7,"devs"'));
    const request = { method: 'GET', url: '', headers: { authorization: 'Bearer t' } };
    expect(authenticate(request)).toEqual({ name: 'ann', uid: '7', groups: ['devs', 'system:authenticated'] });
    expect(authenticate({ ...request, headers: {} })).toBeUndefined();
  });

  it('takes everybody for the administrator where there are no tokens', () => {
    const request = { method: 'GET', url: '', headers: { authorization: 'Bearer whatever' } };
    expect(authenticateWith([])(request)).toMatchObject({ name: 'system:admin' });
  });
});
