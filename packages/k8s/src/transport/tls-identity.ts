/** Whom we trust and who we are, on one TLS endpoint, as of now. */
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { checkServerIdentity, type ConnectionOptions, createSecureContext } from 'node:tls';
import type { Clock } from '@lifeline/core';
import type { Files, Log } from '../app/env.ts';
import type { EndpointTls, PemSource } from './endpoint.ts';
import { checkCertificates, PemError, readPem } from './pem.ts';
import { Polled } from './polled.ts';

/** PEM text. */
export interface ClientCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** What connections are opened with. Another object means other certificates: connections of the old one drain. */
export interface TlsMaterial {
  readonly options: ConnectionOptions;
}

interface Pems {
  readonly ca: string | undefined;
  readonly client: ClientCertificate | undefined;
}

export interface TlsIdentityOptions {
  readonly clock: Clock;
  readonly files: Files;
  readonly log: Log | undefined;
  readonly signal: AbortSignal;
}

/**
 * The certificates of an endpoint, followed through rotation.
 *
 * Guarantees: what is returned loads: a bundle that is half-written, or a certificate whose key is not there yet, keeps what was before.
 * Files are compared by content, so it does not matter how they were swapped.
 */
export class TlsIdentity {
  readonly #tls: EndpointTls;
  readonly #pems: Polled<Pems>;
  #latest:
    { readonly pems: Pems; readonly given: ClientCertificate | undefined; readonly material: TlsMaterial } | undefined;

  constructor(tls: EndpointTls, { clock, files, log, signal }: TlsIdentityOptions) {
    this.#tls = tls;
    this.#pems = new Polled({
      clock,
      log,
      what: `certificates (${sources(tls).join(', ')})`,
      load: () => load(tls, files, signal),
      same: (a, b) => digest(a) === digest(b),
    });
  }

  /** @param given a client certificate from elsewhere (an exec plugin) */
  current(given?: ClientCertificate): TlsMaterial | Promise<TlsMaterial> {
    const pems = this.#pems.current();
    return pems instanceof Promise ? pems.then((read) => this.#material(read, given)) : this.#material(pems, given);
  }

  /** Reads all files again; true when that changed anything. */
  async refresh(): Promise<boolean> {
    const before = this.#latest?.pems;
    return (await this.#pems.refresh()) !== before;
  }

  #material(pems: Pems, given: ClientCertificate | undefined): TlsMaterial {
    const latest = this.#latest;
    if (latest?.pems === pems && latest.given === given) return latest.material;
    const material = { options: connectionOptions(this.#tls, { ca: pems.ca, client: given ?? pems.client }) };
    this.#latest = { pems, given, material };
    return material;
  }
}

async function load(tls: EndpointTls, files: Files, signal: AbortSignal): Promise<Pems> {
  const read = (source: PemSource): Promise<string> => readPem(source, files, signal);
  const ca = tls.ca && (await read(tls.ca));
  const client = tls.clientCertificate && {
    certificate: await read(tls.clientCertificate.certificate),
    key: await read(tls.clientCertificate.key),
  };
  if (ca !== undefined) checkCertificates(ca, 'the certificate authority bundle');
  if (client) checkCertificates(client.certificate, 'the client certificate');
  const pems = { ca, client };
  secureContext(pems);
  return pems;
}

/** @throws PemError also for a key that is not the certificate's */
function secureContext({ ca, client }: Pems): NonNullable<ConnectionOptions['secureContext']> {
  try {
    return createSecureContext({
      ...(ca === undefined ? {} : { ca }),
      ...(client ? { cert: client.certificate, key: client.key } : {}),
    });
  } catch (cause) {
    throw new PemError('the client certificate and its key do not belong together, or cannot be read', { cause });
  }
}

function connectionOptions(tls: EndpointTls, pems: Pems): ConnectionOptions {
  const { serverName, insecureSkipVerify } = tls;
  return {
    secureContext: secureContext(pems),
    ALPNProtocols: ['h2', 'http/1.1'],
    ...(insecureSkipVerify ? { rejectUnauthorized: false } : {}),
    // An address is no server name indication, and still the name to verify.
    ...(serverName && isIP(serverName) === 0 ? { servername: serverName } : {}),
    ...(serverName
      ? { checkServerIdentity: (_host, certificate) => checkServerIdentity(serverName, certificate) }
      : {}),
  };
}

const sources = ({ ca, clientCertificate }: EndpointTls): string[] =>
  [ca, clientCertificate?.certificate, clientCertificate?.key].flatMap((source) =>
    source && 'file' in source ? [source.file] : [],
  );

const digest = ({ ca, client }: Pems): string =>
  createHash('sha256')
    .update(JSON.stringify([ca, client?.certificate, client?.key]))
    .digest('hex');
