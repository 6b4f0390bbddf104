/** Credentials from a command. @see https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins */
import { deadlineAbort, describeError, type DurationMs, type EpochMs, epochMs, type MonotonicMs } from '@lifeline/core';
import type { Credential, CredentialOptions, CredentialSource } from './credential.ts';
import type { Endpoint, ExecCredentials } from './endpoint.ts';
import type { ProcessResult } from './exec-process.ts';
import { readPem } from './pem.ts';
import type { ClientCertificate } from './tls-identity.ts';
import { TransportError } from './transport-error.ts';

type State =
  | { readonly at: 'empty' }
  | { readonly at: 'held'; readonly credential: Credential; readonly staleAt: EpochMs; readonly since: MonotonicMs }
  | { readonly at: 'failed'; readonly error: unknown; readonly since: MonotonicMs };

const runTimeoutMs: DurationMs = 60_000;
/** Renewed so long before the end; for short-lived ones a fifth of their life. */
const maxLeewayMs: DurationMs = 60_000;
const leewayShare = 5;
/** A plugin that fails, or whose credential is refused, runs again no sooner than this. */
const pauseMs: DurationMs = 10_000;

/**
 * Guarantees: one run at a time, whoever asks; its result serves everybody until shortly before it expires; a result that the server
 * refuses is replaced by another run. No failure leaves a request. What the plugin prints goes into no log; an error carries its first
 * line on stderr, with anything that looks like a token cut out.
 */
export class ExecPlugin implements CredentialSource {
  readonly #exec: ExecCredentials;
  readonly #endpoint: Endpoint;
  readonly #options: CredentialOptions;
  #state: State = { at: 'empty' };
  #running: Promise<Credential> | undefined;

  constructor(exec: ExecCredentials, endpoint: Endpoint, options: CredentialOptions) {
    this.#exec = exec;
    this.#endpoint = endpoint;
    this.#options = options;
  }

  current(): Credential | Promise<Credential> {
    const { clock } = this.#options;
    switch (this.#state.at) {
      case 'empty':
        return this.#run();
      case 'held':
        return clock.now() < this.#state.staleAt ? this.#state.credential : this.#run();
      case 'failed':
        return this.#recent(this.#state.since) ? Promise.reject(this.#state.error) : this.#run();
    }
  }

  async replace(used: Credential): Promise<Credential> {
    const state = this.#state;
    if (state.at === 'held' && state.credential !== used) return state.credential;
    if (state.at !== 'empty' && this.#recent(state.since) && !this.#running) return used;
    return this.#run().catch(() => used);
  }

  #recent(since: MonotonicMs): boolean {
    return this.#options.clock.monotonic() - since < pauseMs;
  }

  #run(): Promise<Credential> {
    this.#running ??= this.#obtain().finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #obtain(): Promise<Credential> {
    const { clock, log } = this.#options;
    try {
      const { credential, expiresAt } = await this.#ask();
      this.#state = { at: 'held', credential, staleAt: staleAt(expiresAt, clock.now()), since: clock.monotonic() };
      return credential;
    } catch (cause) {
      const error = new TransportError('no-credentials', this.#explain(cause), { cause });
      log?.warn({ command: this.#exec.command, reason: describeError(cause) }, 'the credential plugin failed');
      this.#state = { at: 'failed', error, since: clock.monotonic() };
      throw error;
    }
  }

  async #ask(): Promise<{ readonly credential: Credential; readonly expiresAt: EpochMs | undefined }> {
    const { clock, spawn, signal } = this.#options;
    const { command, args, env, apiVersion, interactiveMode } = this.#exec;
    if (interactiveMode === 'Always')
      throw new Error('it needs a terminal (interactiveMode: Always), and there is none');
    const info = await this.#info();
    using deadline = deadlineAbort(clock, runTimeoutMs, signal);
    const result = await spawn(command, args, {
      env: { ...env, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
      signal: deadline.signal,
    });
    return readResult(result, apiVersion);
  }

  /** What the plugin is told. */
  async #info(): Promise<unknown> {
    const { apiVersion, provideClusterInfo, clusterConfig } = this.#exec;
    const { server, tls } = this.#endpoint;
    const { files, signal } = this.#options;
    const ca = provideClusterInfo && tls?.ca ? await readPem(tls.ca, files, signal) : undefined;
    const cluster = {
      server,
      'tls-server-name': tls?.serverName,
      'insecure-skip-tls-verify': tls?.insecureSkipVerify,
      'certificate-authority-data': ca && Buffer.from(ca).toString('base64'),
      config: clusterConfig,
    };
    const spec = { interactive: false, ...(provideClusterInfo ? { cluster } : {}) };
    return { apiVersion, kind: 'ExecCredential', spec };
  }

  #explain(cause: unknown): string {
    const { command, installHint } = this.#exec;
    const missing = (cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
    if (!missing) return `${command} gave no credentials`;
    return `${command} is not installed${installHint ? `. ${installHint.trim()}` : ''}`;
  }
}

const staleAt = (expiresAt: EpochMs | undefined, now: EpochMs): EpochMs =>
  epochMs(
    expiresAt === undefined ? Infinity : expiresAt - Math.min(maxLeewayMs, Math.max(0, expiresAt - now) / leewayShare),
  );

function readResult(
  { exitCode, stdout, stderr }: ProcessResult,
  apiVersion: string,
): { readonly credential: Credential; readonly expiresAt: EpochMs | undefined } {
  if (exitCode !== 0)
    throw new Error(`it ended with ${exitCode === null ? 'a signal' : `code ${exitCode}`}${hint(stderr)}`);
  const output = parseOutput(stdout);
  if (output.kind !== 'ExecCredential') throw new Error('it printed no ExecCredential');
  if (output.apiVersion !== apiVersion) throw new Error(`it did not answer in ${apiVersion}`);
  const { token, clientCertificateData: certificate, clientKeyData: key, expirationTimestamp } = output.status ?? {};
  if ((certificate === undefined) !== (key === undefined))
    throw new Error('it gave a certificate without its key, or a key alone');
  if (!token && !certificate) throw new Error('it gave neither a token nor a certificate');
  const clientCertificate: ClientCertificate | undefined = certificate && key ? { certificate, key } : undefined;
  const expiresAt = expirationTimestamp == null ? undefined : epochMs(Date.parse(expirationTimestamp));
  if (Number.isNaN(expiresAt)) throw new Error('its expirationTimestamp is no time');
  return { credential: { authorization: token ? `Bearer ${token}` : undefined, clientCertificate }, expiresAt };
}

interface ExecOutput {
  readonly kind?: unknown;
  readonly apiVersion?: unknown;
  readonly status?: {
    readonly token?: string;
    readonly clientCertificateData?: string;
    readonly clientKeyData?: string;
    readonly expirationTimestamp?: string | null;
  };
}

function parseOutput(stdout: string): ExecOutput {
  try {
    return (JSON.parse(stdout) ?? {}) as ExecOutput;
  } catch {
    // The parser's message quotes the text, which may hold a token.
    throw new Error('it printed no JSON');
  }
}

/** The first line of what it said, without what looks like a secret. */
function hint(stderr: string): string {
  const line = stderr.trim().split('\n')[0]?.slice(0, 200) ?? '';
  return line === '' ? '' : `: ${line.replaceAll(/[\w+=.-]{24,}/g, '…')}`;
}
