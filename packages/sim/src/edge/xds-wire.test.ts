import {
  Backend,
  BackendTLSPolicy,
  Gateway,
  HTTPRoute,
  type JsonObject,
  type Kind,
  type KubeObject,
} from '@lifeline/core';
import { decodeRequest, decodeResponse } from '@lifeline/envoy-api';
import { recording, recordings } from '@lifeline/envoy-api/testing';
import { describe, expect, it } from 'vitest';
import { HookError } from './hook.ts';
import { translate } from './translate.ts';
import { virtualHostsOf, type XdsSnapshot } from './xds.ts';
import { answerBytes, answerOf, requestBytes, requestOf } from './xds-wire.ts';

const lists = ({ clusters = [], listeners = [], routes = [] }: JsonObject) => ({ clusters, listeners, routes });

describe('what a real Envoy Gateway sent', () => {
  it.each(recordings)('%s: read, and written again', (name) => {
    const bytes = recording(name);
    const snapshot = requestOf(bytes);
    expect(snapshot).toEqual(lists(decodeRequest(bytes)));
    expect(requestOf(requestBytes(snapshot))).toEqual(snapshot);
    const answer = answerBytes(snapshot);
    expect(answerOf(answer)).toEqual(snapshot);
    expect(lists(decodeResponse(answer))).toEqual(snapshot);
  });

  it.each([1, 10, 500])('cut to %i bytes it is an error of the caller’s gRPC', (length) => {
    const whole = recording('one-gateway-http');
    expect(() => answerOf(whole.subarray(0, length))).toThrow(HookError);
  });
});

/** Objects of a plane, as the translator reads them. */
function plane(...objects: readonly KubeObject[]) {
  const of = (kind: Kind): KubeObject[] => objects.filter((each) => each.kind === kind.kind);
  return { objects: of as never, get: (() => undefined) as never };
}

const namespace = 'ns-841212f2-474e-4546-b91d-b2a500f9ea95';
const made = (kind: Kind, name: string, spec: unknown): KubeObject =>
  ({ apiVersion: kind.apiVersion, kind: kind.kind, metadata: { namespace, name }, spec }) as KubeObject;

/** Without protocol options and TLS versions, which decide nothing here and which ours leaves out. */
const withoutDetails = (clusters: XdsSnapshot['clusters']): unknown =>
  JSON.parse(
    JSON.stringify(clusters, (key, value: unknown) =>
      key === 'typed_extension_protocol_options' || key === 'tls_params' ? undefined : value,
    ),
  );

/** A route to one Backend with the placeholder for an address, and what Envoy Gateway makes of it. */
function translated(
  name: string,
  { host, port, tls, more = [] }: { host: string; port: number; tls?: string; more?: readonly object[] },
): XdsSnapshot {
  const backend = `${name}-0-0`;
  const listeners = [...more, { name: 'http-hostname-0', port: 80, protocol: 'HTTP', hostname: host }];
  const api = plane(
    made(Gateway, name, { gatewayClassName: 'edge', listeners }),
    made(HTTPRoute, name, {
      parentRefs: [{ name }],
      hostnames: [host],
      rules: [{ backendRefs: [{ group: Backend.group, kind: Backend.kind, name: backend, port }] }],
    }),
    made(Backend, backend, { endpoints: [{ fqdn: { hostname: 'connector.local', port } }] }),
    ...(tls === undefined
      ? []
      : [
          made(BackendTLSPolicy, backend, {
            targetRefs: [{ group: Backend.group, kind: Backend.kind, name: backend }],
            validation: { hostname: tls },
          }),
        ]),
  );
  return requestOf(requestBytes([...translate({ api, merged: false }).values()][0] as XdsSnapshot));
}

describe('what ours makes of the same objects', () => {
  it.each([
    { name: 'shop-backend', like: 'one-gateway-http-backend-cr', of: { host: 'shop-backend.example.com', port: 8080 } },
    {
      name: 'https-backend-cr',
      like: 'https-backend-cr',
      of: { host: 'bcr-tls.example.com', port: 8443, tls: 'bcr.internal.test' },
    },
  ] as const)('$like: the same clusters and routes', ({ name, like, of }) => {
    const want = requestOf(recording(like));
    const got = translated(name, of);
    expect(got.clusters).toEqual(withoutDetails(want.clusters));
    expect(got.routes.map(({ virtual_hosts }) => virtual_hosts)).toEqual(
      want.routes.map(({ virtual_hosts }) => virtual_hosts),
    );
  });

  it('of two listeners on a port the one that names a host has it', () => {
    const more = [{ name: 'default-http', port: 80, protocol: 'HTTP' }];
    const { routes } = translated('web', { host: 'web.example.com', port: 8080, more });
    expect(virtualHostsOf({ routes }).map(({ name }) => name)).toEqual([
      `${namespace}/web/http-hostname-0/web_example_com`,
    ]);
  });
});
