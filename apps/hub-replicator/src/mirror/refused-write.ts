/** Writes that a server will never take as they are. */
import type { UpstreamName } from '@lifeline/core';
import { isKubeError, type KubeError } from '@lifeline/k8s';

/** Only a change elsewhere can help: of the object, of a schema, or of rights. */
export const isRefused = (error: unknown): error is KubeError =>
  isKubeError(error, 'invalid', 'too-large', 'forbidden') && error.status !== undefined;

/** What the owner of the object is told, without the names that the hub has for things. */
export function refusedWrite(error: KubeError, { namespace }: UpstreamName): { reason: string; note: string } {
  const said = [error.reason ?? `HTTP ${error.status}`, ...error.causes].join('; ');
  const scrubbed = said.replace(/\bns-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, namespace);
  return {
    reason: 'ReplicationRefused',
    note: `An API server refuses what replicating this object takes: ${scrubbed}`,
  };
}
