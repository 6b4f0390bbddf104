import { describe, expect, it } from 'vitest';
import { filesOf } from '../testing/files.ts';
import { inClusterEndpoint } from './in-cluster.ts';
import { kubeconfigPaths, loadKubeconfig, parseKubeconfig } from './kubeconfig.ts';

const signal = new AbortController().signal;
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const load = (contents: Record<string, string>, context?: string) =>
  loadKubeconfig({ paths: Object.keys(contents), files: filesOf(contents), signal, context });

/** A kubeconfig with one of each, whose cluster and user have these fields. */
const config = ({ cluster = '', user = '', context = '' } = {}): string => `
apiVersion: v1
kind: Config
current-context: main
clusters:
- name: c
  cluster:
    server: https://api.example:6443/
${indent(cluster)}
users:
- name: u
  user:
    as-if: nothing
${indent(user)}
contexts:
- name: main
  context:
    cluster: c
    user: u
${indent(context)}
`;

const indent = (lines: string): string => lines.trim().replaceAll(/^/gm, '    ');

describe('endpoint fields', () => {
  it('takes inline certificates, server name, namespace; drops the trailing slash', async () => {
    const text = config({
      cluster: `certificate-authority-data: ${base64('CA')}\ntls-server-name: api.internal`,
      user: `client-certificate-data: ${base64('CERT')}\nclient-key-data: ${base64('KEY')}`,
      context: 'namespace: team',
    });
    expect(await load({ '/home/me/config': text })).toEqual({
      endpoint: {
        server: 'https://api.example:6443',
        tls: {
          ca: { inline: 'CA' },
          serverName: 'api.internal',
          clientCertificate: { certificate: { inline: 'CERT' }, key: { inline: 'KEY' } },
        },
      },
      namespace: 'team',
      context: 'main',
    });
    expect(parseKubeconfig(text, { from: 'a Secret' }).endpoint.server).toBe('https://api.example:6443');
  });

  it.each([
    { name: 'token', user: 'token: abc', want: { type: 'token', token: 'abc' } },
    {
      name: 'a token file wins over a token',
      user: 'token: abc\ntokenFile: t',
      want: { type: 'tokenFile', path: '/etc/k/t' },
    },
    {
      name: 'a token wins over a password',
      user: 'token: abc\nusername: me\npassword: x',
      want: { type: 'token', token: 'abc' },
    },
    { name: 'password', user: 'username: me\npassword: x', want: { type: 'basic', username: 'me', password: 'x' } },
    { name: 'nothing', user: '', want: undefined },
    { name: 'a file that client-node would open', user: 'token-file: /nowhere', want: undefined },
  ])('credentials: $name', async ({ user, want }) => {
    expect((await load({ '/etc/k/config': config({ user }) })).endpoint.credentials).toEqual(want);
  });

  it('resolves paths against the folder of their own file', async () => {
    const { endpoint } = await load({
      '/one/config':
        `${config({ cluster: 'certificate-authority: pki/ca.crt' }).split('users:')[0]}current-context: main\n`.replace(
          'current-context: main\n',
          '',
        ),
      '/two/config': config({ user: 'client-certificate: me.crt\nclient-key: /keys/me.key' }),
    });
    expect(endpoint.tls).toEqual({
      ca: { file: '/one/pki/ca.crt' },
      clientCertificate: { certificate: { file: '/two/me.crt' }, key: { file: '/keys/me.key' } },
    });
  });

  it('keeps what client-node drops: groups, uid and extra of an impersonation', async () => {
    const user = 'as: jane\nas-uid: "42"\nas-groups: [dev, ops]\nas-user-extra:\n  reason: [drill, test]';
    expect((await load({ '/k': config({ user }) })).endpoint.impersonate).toEqual({
      user: 'jane',
      uid: '42',
      groups: ['dev', 'ops'],
      extra: { reason: ['drill', 'test'] },
    });
  });

  it('reads an exec plugin whole', async () => {
    const text = config({
      cluster: 'extensions:\n- name: client.authentication.k8s.io/exec\n  extension:\n    audience: us',
      user: `
exec:
  apiVersion: client.authentication.k8s.io/v1
  command: bin/login
  args: [get, token]
  env:
  - name: PROFILE
    value: dev
  installHint: Install login.
  interactiveMode: Never
  provideClusterInfo: true`,
    });
    expect((await load({ '/home/me/.kube/config': text })).endpoint.credentials).toEqual({
      type: 'exec',
      apiVersion: 'client.authentication.k8s.io/v1',
      command: '/home/me/.kube/bin/login',
      args: ['get', 'token'],
      env: { PROFILE: 'dev' },
      interactiveMode: 'Never',
      provideClusterInfo: true,
      clusterConfig: { audience: 'us' },
      installHint: 'Install login.',
    });
  });

  it('takes the null lists that kubectl writes', async () => {
    const user =
      'exec:\n  apiVersion: client.authentication.k8s.io/v1beta1\n  command: login\n  args: null\n  env: null';
    expect((await load({ '/k': config({ user }) })).endpoint.credentials).toMatchObject({
      command: 'login',
      args: [],
      env: {},
    });
  });
});

describe('merging', () => {
  const file = (server: string, current: string, extra = ''): string => `
current-context: ${current}
clusters: [{name: c, cluster: {server: "${server}"}}]
users: [{name: u, user: {token: "of ${server}"}}]
contexts: [{name: main, context: {cluster: c, user: u}}${extra}]`;

  it('the first file that has a name wins, and duplicates are no error', async () => {
    const { endpoint } = await load({ '/a': file('https://a', 'main'), '/b': file('https://b', 'main') });
    expect(endpoint).toMatchObject({ server: 'https://a', credentials: { token: 'of https://a' } });
  });

  it('the first current context that is set wins; later files add contexts', async () => {
    const contents = {
      '/a': file('https://a', '""'),
      '/b': file('https://b', 'other', ', {name: other, context: {cluster: c}}'),
    };
    expect(await load(contents)).toEqual({
      endpoint: { server: 'https://a', tls: {} },
      namespace: undefined,
      context: 'other',
    });
    expect((await load(contents, 'main')).context).toBe('main');
  });

  it('skips missing files while one is there', async () => {
    const files = filesOf({ '/b': file('https://b', 'main') });
    const { endpoint } = await loadKubeconfig({ paths: ['/missing', '/b'], files, signal });
    expect(endpoint.server).toBe('https://b');
    await expect(loadKubeconfig({ paths: ['/missing'], files, signal })).rejects.toThrow(
      'missing: no kubeconfig: /missing',
    );
    await expect(loadKubeconfig({ paths: [], files, signal })).rejects.toThrow('no path was given');
  });

  it.each([
    { variables: { KUBECONFIG: '/a::/b', HOME: '/home/me' }, want: ['/a', '/b'] },
    { variables: { KUBECONFIG: '', HOME: '/home/me' }, want: ['/home/me/.kube/config'] },
    { variables: {}, want: [] },
  ])('paths of $variables', ({ variables, want }) => {
    expect(kubeconfigPaths(variables)).toEqual(want);
  });
});

describe('errors name file and field, and quote no secret', () => {
  it.each([
    {
      name: 'no YAML',
      text: 'users:\n- name: u\n  user: {token: s3cret',
      want: /^invalid: \/k is no YAML: \w+ at line 3, column \d+$/,
    },
    { name: 'no mapping', text: 'hello', want: 'invalid: /k is no kubeconfig' },
    { name: 'no list', text: 'clusters: x', want: 'invalid: /k: clusters is no list' },
    {
      name: 'no server',
      text: 'clusters: [{name: c, cluster: {}}]',
      want: 'invalid: /k: clusters[0].cluster.server is missing',
    },
    { name: 'no name', text: 'users: [{user: {token: s3cret}}]', want: 'invalid: /k: users[0].name is missing' },
    {
      name: 'a number for a token',
      text: config({ user: 'token: 12345' }),
      want: 'invalid: /k: users[0]: token must be text: quote it',
    },
    {
      name: 'a list for a token',
      text: config({ user: 'token: [s3cret]' }),
      want: 'invalid: /k: token of u must be text',
    },
    {
      name: 'no base64',
      text: config({ cluster: 'certificate-authority-data: "-----BEGIN"' }),
      want: 'certificate-authority-data of c is no base64',
    },
    {
      name: 'a certificate alone',
      text: config({ user: 'client-certificate: c.pem' }),
      want: 'user u has a client certificate without its key',
    },
    {
      name: 'no URL',
      text: config().replace('https://api', 'api'),
      want: 'invalid: /k: cluster c: server must be an http or https URL',
    },
    {
      name: 'no such context',
      text: config().replace('current-context: main', 'current-context: other'),
      want: 'no-such-context: no context other; known: main',
    },
    {
      name: 'no context at all',
      text: 'clusters: []',
      want: 'no-such-context: no context was given and there is no current-context; known: none',
    },
    {
      name: 'no such user',
      text: config().replace('user: u', 'user: s'),
      want: 'invalid: /k: context main names a user that is nowhere: s',
    },
    {
      name: 'a proxy',
      text: config({ cluster: 'proxy-url: http://proxy' }),
      want: 'unsupported: /k: cluster c: proxy-url is not supported',
    },
    {
      name: 'an auth-provider',
      text: config({ user: 'auth-provider: {name: gcp}' }),
      want: 'unsupported: /k: user u: auth-provider',
    },
    {
      name: 'an old plugin',
      text: config({ user: 'exec: {apiVersion: client.authentication.k8s.io/v1alpha1, command: x}' }),
      want: 'unsupported: /k: user u: exec.apiVersion must be',
    },
    {
      name: 'a plugin without command',
      text: config({ user: 'exec: {apiVersion: client.authentication.k8s.io/v1}' }),
      want: 'exec.command is missing',
    },
  ])('$name', async ({ text, want }) => {
    const error = await load({ '/k': text }).catch((reason: unknown) => reason as Error);
    expect(error).toMatchObject({
      name: 'KubeconfigError',
      message: expect.stringMatching(want instanceof RegExp ? want : escape(want)),
    });
    expect((error as Error).message).not.toContain('s3cret');
  });

  const escape = (text: string): RegExp => new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));

  it.each([
    { name: 'command', user: 'exec: {apiVersion: client.authentication.k8s.io/v1, command: rm}' },
    { name: 'token file', user: 'tokenFile: /var/run/secrets/token' },
    { name: 'key file', user: 'client-certificate: a\nclient-key: b' },
  ])('text from elsewhere cannot name a $name', ({ user }) => {
    expect(() => parseKubeconfig(config({ user }), { from: 'Secret a/b' })).toThrow('not-self-contained: Secret a/b');
  });
});

describe('inClusterEndpoint', () => {
  const folder = '/var/run/secrets/kubernetes.io/serviceaccount';
  const files = filesOf({ [`${folder}/token`]: 't', [`${folder}/ca.crt`]: 'ca', [`${folder}/namespace`]: 'team\n' });
  const variables = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };

  it('points at the mounted files', async () => {
    expect(await inClusterEndpoint(files, variables, signal)).toEqual({
      endpoint: {
        server: 'https://[fd00::1]:443',
        tls: { ca: { file: `${folder}/ca.crt` } },
        credentials: { type: 'tokenFile', path: `${folder}/token` },
      },
      namespace: 'team',
      context: undefined,
    });
  });

  it('says what is missing', async () => {
    await expect(inClusterEndpoint(files, {}, signal)).rejects.toThrow('not-in-cluster: KUBERNETES_SERVICE_HOST');
    await expect(inClusterEndpoint(filesOf({}), variables, signal)).rejects.toThrow('no service account files (token)');
  });
});
