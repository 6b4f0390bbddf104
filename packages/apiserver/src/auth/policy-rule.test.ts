import { describe, expect, it } from 'vitest';
import { attributesOf, type ResourceAttributes } from './access-attributes.ts';
import { type PolicyRule, ruleAllows } from './policy-rule.ts';

const asked = (fields: Partial<ResourceAttributes> = {}): ResourceAttributes => ({
  verb: 'get',
  group: 'apps',
  version: 'v1',
  resource: 'deployments',
  subresource: '',
  namespace: 'ns',
  name: 'a',
  ...fields,
});

const rule = (fields: Partial<PolicyRule> = {}): PolicyRule => ({
  verbs: ['get'],
  apiGroups: ['apps'],
  resources: ['deployments'],
  ...fields,
});

describe('ruleAllows', () => {
  it.each<[why: string, rule: PolicyRule, asked: ResourceAttributes]>([
    ['all named', rule(), asked()],
    ['any verb', rule({ verbs: ['*'] }), asked({ verb: 'escalate' })],
    ['any group', rule({ apiGroups: ['*'] }), asked({ group: '' })],
    ['any resource', rule({ resources: ['*'] }), asked({ resource: 'x' })],
    ['any resource, and its subresources', rule({ resources: ['*'] }), asked({ subresource: 'status' })],
    ['a subresource', rule({ resources: ['deployments/status'] }), asked({ subresource: 'status' })],
    ['one subresource of all', rule({ resources: ['*/scale'] }), asked({ subresource: 'scale' })],
    ['one of several', rule({ verbs: ['list', 'get'], resources: ['x', 'deployments'] }), asked()],
    ['a name', rule({ resourceNames: ['b', 'a'] }), asked()],
    ['no names are all names', rule({ resourceNames: [] }), asked({ name: '' })],
  ])('allows %s', (_, given, attributes) => {
    expect(ruleAllows(given, attributes)).toBe(true);
  });

  it.each<[why: string, rule: PolicyRule, asked: ResourceAttributes]>([
    ['another verb', rule(), asked({ verb: 'list' })],
    ['no verbs', rule({ verbs: null }), asked()],
    ['another group', rule(), asked({ group: '' })],
    ['another resource', rule(), asked({ resource: 'pods' })],
    ['the subresource of a resource', rule(), asked({ subresource: 'status' })],
    ['the resource of a subresource', rule({ resources: ['deployments/status'] }), asked()],
    ['another subresource of all', rule({ resources: ['*/scale'] }), asked({ subresource: 'status' })],
    ['a resource called like a subresource', rule({ resources: ['*/deployments'] }), asked()],
    ['another name', rule({ resourceNames: ['b'] }), asked()],
    ['many, where names are given', rule({ resourceNames: ['a'] }), asked({ name: '', verb: 'get' })],
    ['a resource by a rule of paths', { verbs: ['*'], nonResourceURLs: ['*'] }, asked()],
  ])('does not allow %s', (_, given, attributes) => {
    expect(ruleAllows(given, attributes)).toBe(false);
  });

  it.each([
    { url: '/metrics', path: '/metrics', want: true },
    { url: '/metrics', path: '/metrics/', want: false },
    { url: '/apis/*', path: '/apis/apps', want: true },
    { url: '/apis/*', path: '/apis/', want: true },
    { url: '/apis/*', path: '/apis', want: false },
    { url: '/livez*', path: '/livez/ping', want: true },
    { url: '*', path: '/whatever', want: true },
    { url: '/a*b', path: '/axb', want: false },
  ])('$url allows $path: $want', ({ url, path, want }) => {
    expect(ruleAllows({ verbs: ['get'], nonResourceURLs: [url] }, { verb: 'get', path })).toBe(want);
  });

  it('of resources does not allow paths', () => {
    expect(ruleAllows(rule({ verbs: ['*'], resources: ['*'] }), { verb: 'get', path: '/metrics' })).toBe(false);
  });
});

describe('attributesOf', () => {
  const core = { group: '', version: 'v1', subresource: '', namespace: '', name: '' };
  it.each([
    ['GET', '/metrics', { verb: 'get', path: '/metrics' }],
    ['OPTIONS', '/api/v1', { verb: 'options', path: '/api/v1' }],
    ['GET', '/apis/apps/v1/', { verb: 'get', path: '/apis/apps/v1/' }],
    ['GET', '/api/v1/configmaps', { ...core, verb: 'list', resource: 'configmaps' }],
    ['HEAD', '/api/v1/configmaps', { ...core, verb: 'list', resource: 'configmaps' }],
    ['GET', '/api/v1/configmaps?watch=1', { ...core, verb: 'watch', resource: 'configmaps' }],
    ['GET', '/api/v1/watch/configmaps', { ...core, verb: 'watch', resource: 'configmaps' }],
    ['PURGE', '/api/v1/configmaps', { ...core, verb: '', resource: 'configmaps' }],
    ['POST', '/api/v1/namespaces/x/configmaps', { ...core, verb: 'create', resource: 'configmaps', namespace: 'x' }],
    [
      'DELETE',
      '/api/v1/namespaces/x/configmaps',
      { ...core, verb: 'deletecollection', resource: 'configmaps', namespace: 'x' },
    ],
    ['PUT', '/api/v1/nodes/n', { ...core, verb: 'update', resource: 'nodes', name: 'n' }],
    ['GET', '/api/v1/namespaces', { ...core, verb: 'list', resource: 'namespaces' }],
    ['GET', '/api/v1/namespaces/x', { ...core, verb: 'get', resource: 'namespaces', namespace: 'x', name: 'x' }],
    [
      'PATCH',
      '/api/v1/namespaces/x/status',
      { ...core, verb: 'patch', resource: 'namespaces', subresource: 'status', namespace: 'x', name: 'x' },
    ],
    [
      'DELETE',
      '/apis/apps/v1/namespaces/x/deployments/a/scale',
      {
        group: 'apps',
        version: 'v1',
        verb: 'delete',
        resource: 'deployments',
        subresource: 'scale',
        namespace: 'x',
        name: 'a',
      },
    ],
    [
      'GET',
      '/api/v1/namespaces/x/configmaps?watch=true&fieldSelector=metadata.name%3Da',
      { ...core, verb: 'watch', resource: 'configmaps', namespace: 'x', name: 'a' },
    ],
    ['GET', '/apis/none.dev/v1/things', { ...core, group: 'none.dev', verb: 'list', resource: 'things' }],
  ])('%s %s', (method, target, want) => {
    const [path = '', query] = target.split('?');
    expect(attributesOf({ method }, path, new URLSearchParams(query))).toEqual(want);
  });
});
