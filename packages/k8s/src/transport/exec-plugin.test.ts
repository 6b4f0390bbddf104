import type { TLSSocket } from 'node:tls';
import { VirtualClock } from '@lifeline/core/testing';
import { describe, expect, it } from 'vitest';
import { createAuthority } from '../testing/certificates.ts';
import { filesOf } from '../testing/files.ts';
import { listenH2, loopbackCertificate } from '../testing/loopback.ts';
import { clientOf, errorOf } from './client.fixture.ts';
import type { Endpoint, ExecCredentials } from './endpoint.ts';
import { ExecPlugin } from './exec-plugin.ts';
import { type ProcessResult, type Spawn, systemSpawn } from './exec-process.ts';
import type { Log } from '../app/env.ts';

const apiVersion = 'client.authentication.k8s.io/v1';
const exec: ExecCredentials = {
  type: 'exec',
  apiVersion,
  command: 'login',
  args: ['token'],
  env: { PROFILE: 'dev' },
  provideClusterInfo: false,
};

const printed = (status: object, version = apiVersion): ProcessResult => ({
  exitCode: 0,
  stdout: JSON.stringify({ kind: 'ExecCredential', apiVersion: version, status }),
  stderr: '',
});

/** A plugin whose runs are counted; each answers `token-1`, `token-2` … unless told otherwise. */
function plugin(
  answer?: (run: number) => ProcessResult | Promise<ProcessResult>,
  options: Partial<ExecCredentials> = {},
) {
  const clock = new VirtualClock();
  const life = new AbortController();
  const warnings: string[] = [];
  const log = {
    warn: (fields: object, message: string) => void warnings.push(`${message} ${JSON.stringify(fields)}`),
  } as Log;
  const runs: {
    command: string;
    args: readonly string[];
    env: Readonly<Record<string, string>>;
    signal: AbortSignal;
  }[] = [];
  const spawn: Spawn = async (command, args, { env, signal }) => {
    runs.push({ command, args, env, signal });
    return answer ? answer(runs.length) : printed({ token: `token-${runs.length}` });
  };
  const endpoint: Endpoint = {
    server: 'https://api.example',
    tls: { ca: { file: '/ca' }, serverName: 'api.internal' },
    credentials: exec,
  };
  const source = new ExecPlugin({ ...exec, ...options }, endpoint, {
    clock,
    log,
    spawn,
    files: filesOf({ '/ca': 'CA' }),
    signal: life.signal,
  });
  return { source, clock, runs, warnings, life, token: async () => (await source.current()).authorization };
}

describe('runs', () => {
  it('once for fifty requests at a time, and not again while the credential is good', async () => {
    const { source, runs } = plugin();
    const credentials = await Promise.all(Array.from({ length: 50 }, async () => source.current()));
    expect(new Set(credentials).size).toBe(1);
    expect(await source.current()).toBe(credentials[0]);
    expect(runs).toHaveLength(1);
    expect(runs[0]).toMatchObject({ command: 'login', args: ['token'], env: { PROFILE: 'dev' } });
  });

  it.each([
    { name: 'an hour: a minute before its end', seconds: 3600, staleAt: 3_540_000 },
    { name: 'ten seconds: a fifth before its end', seconds: 10, staleAt: 8000 },
  ])('again for a credential of $name', async ({ seconds, staleAt }) => {
    const { clock, token, runs } = plugin((run) => {
      const expirationTimestamp = new Date(clock.now() + seconds * 1000).toISOString();
      return printed({ token: `token-${run}`, expirationTimestamp });
    });
    await token();
    await clock.advance(staleAt - 1);
    expect(await token()).toBe('Bearer token-1');
    await clock.advance(1);
    const tokens = await Promise.all(Array.from({ length: 50 }, token));
    expect(new Set(tokens)).toEqual(new Set(['Bearer token-2']));
    expect(runs).toHaveLength(2);
  });

  it('once more for all who were refused', async () => {
    const { source, clock, runs } = plugin();
    const used = await source.current();
    await clock.advance(10_000);
    const newer = await Promise.all(Array.from({ length: 50 }, () => source.replace(used)));
    expect(new Set(newer)).toEqual(new Set([await source.current()]));
    expect(newer[0]?.authorization).toBe('Bearer token-2');
    expect(await source.replace(used)).toBe(newer[0]);
    expect(runs).toHaveLength(2);
  });

  it('not in a storm: a new credential that is refused, or a plugin that fails, waits ten seconds', async () => {
    const { source, clock, runs } = plugin((run) =>
      run === 1 ? printed({ token: 'a' }) : { exitCode: 1, stdout: '', stderr: '' },
    );
    const used = await source.current();
    expect(await source.replace(used)).toBe(used);
    expect(runs).toHaveLength(1);
    await clock.advance(10_000);
    expect(await source.replace(used)).toBe(used);
    await errorOf(Promise.resolve(source.current()));
    await errorOf(Promise.resolve(source.current()));
    expect(runs).toHaveLength(2);
    await clock.advance(10_000);
    await errorOf(Promise.resolve(source.current()));
    expect(runs).toHaveLength(3);
  });

  it('for at most a minute', async () => {
    const { source, clock, runs } = plugin(
      () =>
        new Promise(
          (_, reject) => void runs[0]?.signal.addEventListener('abort', () => reject(runs[0]?.signal.reason)),
        ),
    );
    const failure = errorOf(Promise.resolve(source.current()));
    await clock.advance(60_000);
    expect(await failure).toMatchObject({ code: 'no-credentials' });
    expect(clock.pending).toBe(0);
  });

  it('no longer than the transport lives', async () => {
    const { source, runs, life } = plugin(
      () =>
        new Promise(
          (_, reject) => void runs[0]?.signal.addEventListener('abort', () => reject(runs[0]?.signal.reason)),
        ),
    );
    const failure = errorOf(Promise.resolve(source.current()));
    await Promise.resolve();
    life.abort(new Error('over'));
    expect(await failure).toMatchObject({ code: 'no-credentials' });
  });
});

describe('what it is told', () => {
  it('that there is no terminal, and nothing of the cluster', async () => {
    const { token, runs } = plugin();
    await token();
    expect(JSON.parse(runs[0]?.env['KUBERNETES_EXEC_INFO'] ?? '')).toEqual({
      apiVersion,
      kind: 'ExecCredential',
      spec: { interactive: false },
    });
  });

  it('the cluster, when it asks for it', async () => {
    const { token, runs } = plugin(undefined, { provideClusterInfo: true, clusterConfig: { audience: 'us' } });
    await token();
    expect(JSON.parse(runs[0]?.env['KUBERNETES_EXEC_INFO'] ?? '')).toMatchObject({
      spec: {
        interactive: false,
        cluster: {
          server: 'https://api.example',
          'tls-server-name': 'api.internal',
          'certificate-authority-data': Buffer.from('CA').toString('base64'),
          config: { audience: 'us' },
        },
      },
    });
  });
});

describe('answers that are none', () => {
  const token = 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ';

  it.each([
    {
      name: 'an exit code',
      result: { exitCode: 3, stdout: '', stderr: `expired: ${token}\nmore` },
      want: /ended with code 3: expired: …$/,
    },
    { name: 'a signal', result: { exitCode: null, stdout: '', stderr: '' }, want: /ended with a signal$/ },
    { name: 'no JSON', result: { exitCode: 0, stdout: `token ${token}`, stderr: '' }, want: /it printed no JSON$/ },
    { name: 'null', result: { exitCode: 0, stdout: 'null', stderr: '' }, want: /it printed no ExecCredential$/ },
    { name: 'another kind', result: { exitCode: 0, stdout: '{"kind":"Pod"}', stderr: '' }, want: /no ExecCredential$/ },
    {
      name: 'another version',
      result: printed({ token }, 'client.authentication.k8s.io/v1beta1'),
      want: /did not answer in client.authentication.k8s.io\/v1$/,
    },
    { name: 'nothing in it', result: printed({}), want: /neither a token nor a certificate$/ },
    { name: 'half a pair', result: printed({ clientCertificateData: 'x' }), want: /certificate without its key/ },
    {
      name: 'no time',
      result: printed({ token, expirationTimestamp: 'soon' }),
      want: /expirationTimestamp is no time$/,
    },
  ])('$name', async ({ result, want }) => {
    const { source, warnings } = plugin(() => result);
    const error = await errorOf(Promise.resolve(source.current()));
    expect(error).toMatchObject({ code: 'no-credentials', message: 'no-credentials: login gave no credentials' });
    expect((error.cause as Error).message).toMatch(want);
    expect(`${warnings.join()}${(error.cause as Error).message}`).not.toContain(token);
  });

  it('not installed: the hint says what to do', async () => {
    const missing = Object.assign(new Error('spawn login ENOENT'), { code: 'ENOENT' });
    const { source } = plugin(() => Promise.reject(missing), { installHint: 'Get it at https://example.org/login\n' });
    expect(await errorOf(Promise.resolve(source.current()))).toMatchObject({
      message: 'no-credentials: login is not installed. Get it at https://example.org/login',
    });
  });

  it('one that needs a terminal is not run', async () => {
    const { source, runs } = plugin(undefined, { interactiveMode: 'Always' });
    const error = await errorOf(Promise.resolve(source.current()));
    expect((error.cause as Error).message).toMatch(/needs a terminal/);
    expect(runs).toHaveLength(0);
  });
});

describe('over a transport', () => {
  it('a client certificate from a plugin is used, and replaced when the server refuses it', async () => {
    const authority = createAuthority();
    const seen: unknown[] = [];
    await using server = await listenH2(
      (request, response) => {
        const { CN } = (request.stream.session?.socket as TLSSocket).getPeerCertificate().subject;
        seen.push(CN);
        response.writeHead(CN === 'user-2' ? 200 : 401).end();
      },
      { ...loopbackCertificate(authority), ca: authority.certificate, requestCert: true },
    );
    let runs = 0;
    const spawn: Spawn = async () => {
      const { certificate, key } = authority.issue({ commonName: `user-${++runs}` });
      return printed({ clientCertificateData: certificate, clientKeyData: key });
    };
    await using client = clientOf(server.url, {
      tls: { ca: { inline: authority.certificate } },
      credentials: exec,
      spawn,
    });
    expect((await client.call('/')).status).toBe(401);
    await client.clock.advance(10_000);
    expect((await client.call('/')).status).toBe(200);
    expect(seen).toEqual(['user-1', 'user-1', 'user-2']);
  });

  it('its failure is the failure of the request, and of nothing else', async () => {
    await using server = await listenH2((_, response) => response.end());
    await using client = clientOf(server.url, { credentials: exec, spawn: () => Promise.reject(new Error('no')) });
    const aborted = errorOf(client.call('/', { signal: AbortSignal.abort(new Error('not mine')) }));
    const errors = await Promise.all([errorOf(client.call('/')), errorOf(client.call('/')), aborted]);
    expect(errors.map(({ message }) => message)).toEqual([
      'no-credentials: login gave no credentials',
      'no-credentials: login gave no credentials',
      'not mine',
    ]);
    expect(server.accepted()).toBe(0);
  });

  it('two endpoints with the same plugin share its credential; another environment is another plugin', async () => {
    const profiles: unknown[] = [];
    const spawn: Spawn = async (_command, _args, { env }) => {
      profiles.push(env['PROFILE']);
      return printed({ token: 't' });
    };
    await using server = await listenH2((_, response) => response.end());
    await using client = clientOf(server.url, { credentials: exec, spawn });
    await Promise.all([client.text('/'), client.at({ server: `${server.url}/p` }).text('/')]);
    await client.at({ credentials: { ...exec, env: { PROFILE: 'prod' } } }).text('/');
    expect(profiles).toEqual(['dev', 'prod']);
  });
});

describe('systemSpawn', () => {
  const run = (script: string, signal = new AbortController().signal) =>
    systemSpawn(process.execPath, ['-e', script], { env: { OWN: 'mine' }, signal });

  it('runs a process with our environment and no terminal', async () => {
    const script =
      'console.log(process.env.OWN, !!process.env.PATH, process.stdin.isTTY); console.error("e"); process.exit(3)';
    expect(await run(script)).toEqual({ exitCode: 3, stdout: 'mine true undefined\n', stderr: 'e\n' });
  });

  it('kills it when told to', async () => {
    const stop = new AbortController();
    const failure = errorOf(run('setInterval(() => {}, 1000)', stop.signal));
    stop.abort(new Error('enough'));
    expect((await failure).message).toBe('enough');
  });

  it('says when there is no such command', async () => {
    const failure = systemSpawn('/no/such/command', [], { env: {}, signal: new AbortController().signal });
    expect(await errorOf(failure)).toMatchObject({ code: 'ENOENT' });
  });
});
