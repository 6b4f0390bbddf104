/** The planes themselves: API servers in this process, each on a port of its own. */
import { createApiServer } from '@lifeline/apiserver';
import { Namespace, seeded, systemClock, systemRandom, type Transport } from '@lifeline/core';
import { createClient } from '@lifeline/k8s';
import { createAuthority } from '@lifeline/k8s/testing';
import { kindsOfRole } from '@lifeline/sim';
import type { Access } from './folder.ts';
import type { PlannedPlane } from './options.ts';

/** A plane that listens. */
export interface RunningPlane extends PlannedPlane, Access {
  /** In this process, with all rights. */
  readonly transport: Transport;
}

/** Everybody who may ask: one user with all rights, whose token the kubeconfigs hold. */
const administrator = { user: 'admin', uid: 'admin', groups: ['system:masters'] };

/** Brings planes up. Disposed, the stack ends their connections and frees their ports. */
export async function startPlanes(
  planned: readonly PlannedPlane[],
  stack: AsyncDisposableStack,
): Promise<readonly RunningPlane[]> {
  const authority = createAuthority('lifeline test planes');
  const tls = authority.issue({ commonName: 'plane', dnsNames: ['localhost'], addresses: ['127.0.0.1'] });
  return await Promise.all(
    planned.map(async (plane) => {
      const token = systemRandom.hex(16);
      const api = stack.use(
        createApiServer({
          clock: systemClock,
          random: seeded(systemRandom.hex(16)),
          kinds: kindsOfRole(plane.role),
          tokens: [{ ...administrator, token }],
        }),
      );
      const { url } = stack.use(await api.listen({ tls }));
      const transport: Transport = (request, options) =>
        api.transport({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } }, options);
      return { ...plane, transport, server: url, authority: authority.certificate, token };
    }),
  );
}

/** Creates a namespace in a plane, by the plane's name: what installing a chart does. */
export async function createNamespaces(
  planes: readonly RunningPlane[],
  namespaces: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  for (const { name: plane, transport, server } of planes) {
    const name = namespaces[plane];
    if (name === undefined) continue;
    const client = createClient({
      transport,
      baseUrl: server,
      clock: systemClock,
      random: systemRandom,
      userAgent: 'planes',
    });
    await client.create(Namespace, { metadata: { name } }, { signal });
  }
}
