/** The way to one server under one TLS identity, shared by every endpoint that is the same on the wire. */
import { abortable, type Clock, type TransportResponse } from '@lifeline/core';
import { Connections } from './connections.ts';
import type { Target } from './dial.ts';
import type { ClientCertificate, TlsIdentity, TlsMaterial } from './tls-identity.ts';
import { isTransportError } from './transport-error.ts';
import type { ExchangeOptions, WireRequest } from './wire.ts';

export interface PoolOptions {
  readonly target: Target;
  /** Absent: plain `http:`. */
  readonly identity: TlsIdentity | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface PoolExchangeOptions extends ExchangeOptions {
  /** From credentials that come with one. */
  readonly clientCertificate: ClientCertificate | undefined;
}

/**
 * Guarantees: new connections use the certificates as they are now; those of older ones take nothing new and close when their last
 * exchange has ended. A request that the server provably did not process is sent once more, on another connection; so is one whose
 * handshake failed, if reading the certificate files again brings other ones.
 */
export class Pool {
  readonly #options: PoolOptions;
  #current: { readonly material: TlsMaterial | undefined; readonly connections: Connections } | undefined;
  readonly #draining = new Set<Connections>();

  constructor(options: PoolOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#destroy(), { once: true });
  }

  async exchange(request: WireRequest, options: PoolExchangeOptions): Promise<TransportResponse> {
    let refused = false;
    let refreshed = false;
    for (;;) {
      options.signal.throwIfAborted();
      const connections = await this.#connections(options);
      try {
        return await connections.exchange(request, options);
      } catch (error) {
        if (isTransportError(error, 'refused') && !refused) refused = true;
        else if (isTransportError(error, 'tls-failed') && !refreshed && (await this.refresh(options.signal)))
          refreshed = true;
        else throw error;
      }
    }
  }

  /** Reads the certificate files again; true when that changed anything. */
  async refresh(signal: AbortSignal): Promise<boolean> {
    const { identity } = this.#options;
    return identity !== undefined && abortable(identity.refresh(), signal);
  }

  async #connections({ clientCertificate, signal }: PoolExchangeOptions): Promise<Connections> {
    let material = this.#options.identity?.current(clientCertificate);
    if (material instanceof Promise) material = await abortable(material, signal);
    if (this.#current && this.#current.material === material) return this.#current.connections;
    this.#retire();
    const connections = new Connections({
      ...this.#options,
      material,
      onEmpty: () => this.#draining.delete(connections),
    });
    this.#current = { material, connections };
    return connections;
  }

  #retire(): void {
    const old = this.#current?.connections;
    if (!old) return;
    this.#draining.add(old);
    old.drain();
  }

  #destroy(): void {
    this.#current?.connections.destroy();
    for (const connections of this.#draining) connections.destroy();
  }
}
