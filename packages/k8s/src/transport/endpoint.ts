/** How to reach one API server, as a kubeconfig context or the in-cluster files describe it. Plain data: nothing is opened or read yet. */
import type { JsonValue, Transport } from '@lifeline/core';

/** PEM text, given inline or kept in a file that may be rotated while we run. */
export type PemSource = { readonly inline: string } | { readonly file: string };

export interface EndpointTls {
  /** Trusted authorities. Default: the platform's. */
  readonly ca?: PemSource | undefined;
  /** Overrides the name that the certificate is checked against (and SNI). */
  readonly serverName?: string | undefined;
  /** Verifies nothing. Only ever set by a kubeconfig that says so; warned about at start. */
  readonly insecureSkipVerify?: boolean | undefined;
  readonly clientCertificate?: { readonly certificate: PemSource; readonly key: PemSource } | undefined;
}

/** @see https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins */
export interface ExecCredentials {
  readonly type: 'exec';
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Default `IfAvailable`. There is never a terminal: `Always` is refused. */
  readonly interactiveMode?: 'Never' | 'IfAvailable' | 'Always' | undefined;
  readonly provideClusterInfo: boolean;
  /** Passed on with the cluster info: the cluster's `client.authentication.k8s.io/exec` extension. */
  readonly clusterConfig?: JsonValue | undefined;
  readonly installHint?: string | undefined;
}

export type Credentials =
  | { readonly type: 'none' }
  | { readonly type: 'token'; readonly token: string }
  /** Read again when it changes (at most a minute late) and once after a 401. */
  | { readonly type: 'tokenFile'; readonly path: string }
  | { readonly type: 'basic'; readonly username: string; readonly password: string }
  | ExecCredentials;

export interface Impersonation {
  readonly user: string;
  readonly uid?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

export interface Endpoint {
  /** Absolute URL with the base path of the plane, no trailing slash: `https://host:6443`, `https://host/apis/…/projects/p1/control-plane`. */
  readonly server: string;
  readonly tls?: EndpointTls | undefined;
  readonly credentials?: Credentials | undefined;
  /** `kubeconfig` user impersonation. */
  readonly impersonate?: Impersonation | undefined;
}

/**
 * Opens the way to one API server: TLS, credentials and connection reuse behind one {@link Transport}. Connections open on first use
 * and close when `signal`, the connection's life, aborts.
 */
export type TransportFactory = (endpoint: Endpoint, signal: AbortSignal) => Transport;
