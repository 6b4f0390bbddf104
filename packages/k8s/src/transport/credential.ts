/** What a request proves itself with, and where that comes from. */
import type { Clock } from '@lifeline/core';
import type { Files, Log } from '../app/env.ts';
import type { Spawn } from './exec-process.ts';
import type { ClientCertificate } from './tls-identity.ts';

/** Compared by identity: another object is another credential. */
export interface Credential {
  /** Of the `authorization` header. */
  readonly authorization: string | undefined;
  readonly clientCertificate?: ClientCertificate | undefined;
}

export interface CredentialSource {
  /** @throws TransportError `no-credentials` */
  current(): Credential | Promise<Credential>;
  /** What to use after the server refused `used`: `used` itself when there is nothing else. Never rejects. */
  replace(used: Credential): Promise<Credential>;
}

export interface CredentialOptions {
  readonly clock: Clock;
  readonly files: Files;
  readonly log: Log | undefined;
  readonly spawn: Spawn;
  /** The life of the source. */
  readonly signal: AbortSignal;
}
