import type { JsonObject, KubeObject } from '@lifeline/core';
import { describe, expect, it } from 'vitest';
import { secretKeys, secretRefs } from './secret-refs.ts';

const policy = (spec: JsonObject): KubeObject => ({
  apiVersion: 'gateway.envoyproxy.io/v1alpha1',
  kind: 'SecurityPolicy',
  metadata: { namespace: 'default', name: 'p' },
  ...{ spec },
});

describe('secretRefs', () => {
  const a = { name: 'a' };
  it.each<{ name: string; spec: JsonObject; want: readonly string[] }>([
    { name: 'none', spec: {}, want: [] },
    { name: 'oidc.clientSecret', spec: { oidc: { clientSecret: a } }, want: ['a'] },
    { name: 'oidc.clientIDRef', spec: { oidc: { clientIDRef: a } }, want: ['a'] },
    { name: 'basicAuth.users', spec: { basicAuth: { users: a } }, want: ['a'] },
    {
      name: 'apiKeyAuth.credentialRefs',
      spec: { apiKeyAuth: { credentialRefs: [a, { name: 'b' }] } },
      want: ['a', 'b'],
    },
    {
      name: 'each once',
      spec: {
        oidc: { clientSecret: a, clientIDRef: { name: 'b' } },
        basicAuth: { users: { ...a, kind: 'Secret', group: '' } },
      },
      want: ['a', 'b'],
    },
    { name: 'of another kind', spec: { basicAuth: { users: { ...a, kind: 'ConfigMap' } } }, want: [] },
    { name: 'of another group', spec: { basicAuth: { users: { ...a, group: 'x.example' } } }, want: [] },
    {
      name: 'null and odd shapes',
      spec: { oidc: null, basicAuth: { users: { name: '' } }, apiKeyAuth: { credentialRefs: [null, 'a', {}] } },
      want: [],
    },
  ])('$name', ({ spec, want }) => {
    expect(secretRefs(policy(spec)).map(({ name }) => name)).toEqual(want);
  });

  it('a namespace that is spelled out is another reference, and a key only if it is the own one', () => {
    const other = policy({
      apiKeyAuth: {
        credentialRefs: [{ name: 'a' }, { name: 'a', namespace: 'x' }, { name: 'b', namespace: 'default' }],
      },
    });
    expect(secretRefs(other)).toEqual([
      { namespace: undefined, name: 'a' },
      { namespace: 'x', name: 'a' },
      { namespace: 'default', name: 'b' },
    ]);
    expect(secretKeys(other)).toEqual(['default/a', 'default/b']);
  });
});
